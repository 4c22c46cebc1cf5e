import { HttpApi } from "@effect/platform"
import { AccountsGroup } from "../../../src/http/api/Accounts.ts"
import { ContractsGroup } from "../../../src/http/api/Contracts.ts"
import { handling } from "../../../src/http/Handlers.ts"
import { makeRoutes } from "../../../src/http/Route.ts"
import { others } from "./OtherHandlers.ts"

const accounts = handling(AccountsGroup, others)

export const routes = makeRoutes(HttpApi.make("both").add(AccountsGroup).add(ContractsGroup), { accounts })
