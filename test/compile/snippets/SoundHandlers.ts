import { HttpApi } from "@effect/platform"
import { Effect } from "effect"
import { GrantNotFound } from "../../../src/accounts/refusals.ts"
import { AccountsGroup } from "../../../src/http/api/Accounts.ts"
import { handling, reply } from "../../../src/http/Handlers.ts"
import { makeRoutes } from "../../../src/http/Route.ts"
import { others } from "./OtherHandlers.ts"

const accounts = handling(AccountsGroup, {
  ...others,
  listBots: () => Effect.succeed(reply({ bots: [] })),
  revokeBot: ({ path }) => Effect.fail(new GrantNotFound({ context: { id: path.grantId } }))
})

export const routes = makeRoutes(HttpApi.make("accounts").add(AccountsGroup), { accounts })
