/** What does not matter to a snippet: handlers that fit every endpoint of the accounts. */
import { Effect } from "effect"

const never = () => Effect.never

export const others = {
  enrollAccount: never,
  getAccount: never,
  replaceProfile: never,
  listBots: never,
  registerBot: never,
  revokeBot: never
}
