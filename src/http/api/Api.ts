/** The whole public API as one definition: the router, the OpenAPI document and the clients read this. */
import { HttpApi, OpenApi } from "@effect/platform"
import { AccountsGroup } from "./Accounts.ts"
import { ContractsGroup } from "./Contracts.ts"
import { DiscoveryGroup } from "./Discovery.ts"
import { IndexerGroup } from "./Indexer.ts"
import { IntentsGroup } from "./Intents.ts"
import { OperationsGroup } from "./Operations.ts"
import { ProjectsGroup } from "./Projects.ts"
import { TransactionsGroup } from "./Transactions.ts"

export const Api = HttpApi.make("signed-request-service")
  .add(DiscoveryGroup)
  .add(AccountsGroup)
  .add(ContractsGroup)
  .add(IndexerGroup)
  .add(IntentsGroup)
  .add(ProjectsGroup)
  .add(OperationsGroup)
  .add(TransactionsGroup)
  .annotate(OpenApi.Title, "Signed-request service")
  .annotate(OpenApi.Version, "1.0.0")
