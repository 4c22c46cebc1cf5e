/** What the listener brings along to an authentication: the addresses' budgets, the places of work, and what its route asks. */
import type { Effect } from "effect"
import type { RateLimited, ServiceBusy } from "../accounts/refusals.ts"

export interface Border<Exchange> {
  /** Before work that costs, once for a request; refuses an address that has nothing left. */
  readonly charge: (exchange: Exchange, address: string) => Effect.Effect<void, RateLimited>
  /** Who turned out to be known pays by an account's quota instead. */
  readonly giveBack: (exchange: Exchange, address: string) => Effect.Effect<void>
  /** Takes a place of work until the answer is given. */
  readonly enterWork: (exchange: Exchange) => Effect.Effect<void, ServiceBusy>
  /** Leaves it for one of the few that new accounts have. */
  readonly enterEnrolment: (exchange: Exchange) => Effect.Effect<void, ServiceBusy>
}

/** What a route asks of who signs for it. */
export interface Rights {
  readonly scope: "read" | "plan" | "relay"
  readonly ownerOnly: boolean
  readonly idempotency: "required" | "optional"
  /** No account needs to exist yet. */
  readonly enrolment: boolean
  /** The handler answers with the account record, so the ledger brings it along. */
  readonly wantsAccount: boolean
}
