/** The API with the handlers of its endpoints. */
import { Api } from "./api/Api.ts"
import { accounts } from "./handlers/Accounts.ts"
import { contracts } from "./handlers/Contracts.ts"
import { discovery } from "./handlers/Discovery.ts"
import { indexer } from "./handlers/Indexer.ts"
import { intents } from "./handlers/Intents.ts"
import { operations } from "./handlers/Operations.ts"
import { projects } from "./handlers/Projects.ts"
import { transactions } from "./handlers/Transactions.ts"
import { makeRoutes } from "./Route.ts"

export const routes = makeRoutes(Api, {
  accounts,
  contracts,
  discovery,
  indexer,
  intents,
  operations,
  projects,
  transactions
})
