import { Effect } from "effect"
import type { RpcBudget } from "../chain/refusals.ts"

interface Tagged {
  readonly _tag: string
}

const isBudget = (failure: Tagged): failure is RpcBudget => failure._tag === "RPC_BUDGET"

/** What cannot be looked up now; where whoever asks may ask no more, nothing was looked at, and they are told so. */
export const orNothing = <A, R, B>(
  look: Effect.Effect<A, Tagged, R>,
  nothing: B
): Effect.Effect<A | B, RpcBudget, R> =>
  Effect.catchAll(look, failure => (isBudget(failure) ? Effect.fail(failure) : Effect.succeed(nothing)))
