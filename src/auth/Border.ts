/** What only the listener knows of its requests: their addresses' budgets and the places of work. */
import type { Effect } from "effect"
import type { RateLimited, ServiceBusy } from "../accounts/refusals.ts"

export interface Border<Exchange> {
  /** Before work that costs, once for a request; refuses an address that has nothing left. */
  readonly charge: (exchange: Exchange, address: string) => Effect.Effect<void, RateLimited>
  /** Who turned out to be known pays by an account's quota instead. */
  readonly giveBack: (exchange: Exchange, address: string) => Effect.Effect<void>
  /** Takes a place of work until the answer is given. */
  readonly enterWork: (exchange: Exchange) => Effect.Effect<void, ServiceBusy>
}
