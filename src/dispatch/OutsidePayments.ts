/** Whether what a plan is to pay for is paid for already, by a transaction that this service was not told of. */
import { Context, type Effect } from "effect"
import type { RpcFailure, UnsupportedChain } from "../chain/refusals.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import type { Terms } from "../plans/PlanRow.ts"
import type { SponsorshipConflict } from "./refusals.ts"

export class OutsidePayments extends Context.Tag("dispatch/OutsidePayments")<
  OutsidePayments,
  {
    /** Of a plan that pays for nothing it says nothing; nothing is paid for where a chain does not say. */
    readonly refusePaid: (
      plan: Pick<Terms, "operation" | "summary">
    ) => Effect.Effect<void, SponsorshipConflict | DatabaseUnavailable | RpcFailure | UnsupportedChain>
  }
>() {}
