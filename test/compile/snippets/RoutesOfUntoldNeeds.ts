import { HttpApi } from "@effect/platform"
import { Context, Effect } from "effect"
import { AccountsGroup } from "../../../src/http/api/Accounts.ts"
import { handling } from "../../../src/http/Handlers.ts"
import { makeRoutes, type Route } from "../../../src/http/Route.ts"
import { others } from "./OtherHandlers.ts"

class Shelf extends Context.Tag("test/Shelf")<Shelf, { readonly size: number }>() {}

const accounts = handling(AccountsGroup, {
  ...others,
  listBots: () => Effect.zipRight(Shelf, Effect.never)
})

/** Whoever serves these routes has to provide the shelf. */
export const routes: ReadonlyArray<Route<never, never>> = makeRoutes(
  HttpApi.make("accounts").add(AccountsGroup),
  { accounts }
)
