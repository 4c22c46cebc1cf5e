import { Effect } from "effect"
import { AccountsGroup } from "../../../src/http/api/Accounts.ts"
import { handling } from "../../../src/http/Handlers.ts"

export const accounts = handling(AccountsGroup, {
  enrollAccount: () => Effect.never,
  getAccount: () => Effect.never,
  replaceProfile: () => Effect.never,
  listBots: () => Effect.never,
  registerBot: () => Effect.never
})
