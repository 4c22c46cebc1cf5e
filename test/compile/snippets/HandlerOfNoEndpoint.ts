import { Effect } from "effect"
import { AccountsGroup } from "../../../src/http/api/Accounts.ts"
import { handling } from "../../../src/http/Handlers.ts"
import { others } from "./OtherHandlers.ts"

export const accounts = handling(AccountsGroup, {
  ...others,
  removeAccount: () => Effect.never
})
