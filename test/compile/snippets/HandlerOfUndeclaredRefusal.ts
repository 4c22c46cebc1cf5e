import { Effect } from "effect"
import { AccountsGroup } from "../../../src/http/api/Accounts.ts"
import { handling } from "../../../src/http/Handlers.ts"
import { PlanNotFound } from "../../../src/plans/refusals.ts"
import { others } from "./OtherHandlers.ts"

export const accounts = handling(AccountsGroup, {
  ...others,
  listBots: () => Effect.fail(new PlanNotFound())
})
