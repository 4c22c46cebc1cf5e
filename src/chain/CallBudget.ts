/** How many upstream calls the process may still make in the current fixed minute. */
import { Clock, Effect, Ref } from "effect"
import { RpcBudget } from "./refusals.ts"

export interface CallBudget {
  readonly take: (calls: number) => Effect.Effect<void, RpcBudget>
  /** Counts calls that must not be refused: bytes already admitted, and health. */
  readonly note: (calls: number) => Effect.Effect<void>
}

const MINUTE = 60_000

export const makeCallBudget = (perMinute: number): Effect.Effect<CallBudget> =>
  Effect.gen(function* () {
    const spending = yield* Ref.make({ minute: 0, spent: 0 })
    const spend = (calls: number, refusable: boolean) =>
      Effect.flatMap(Clock.currentTimeMillis, now =>
        Ref.modify(spending, last => {
          const minute = Math.floor(now / MINUTE)
          const spent = (last.minute === minute ? last.spent : 0) + calls
          if (refusable && spent > perMinute) return [Math.ceil(((minute + 1) * MINUTE - now) / 1_000), last]
          return [undefined, { minute, spent }]
        })
      )
    return {
      take: calls =>
        Effect.flatMap(spend(calls, true), retryAfterSeconds =>
          retryAfterSeconds === undefined ? Effect.void : new RpcBudget({ retryAfterSeconds })
        ),
      note: calls => Effect.asVoid(spend(calls, false))
    }
  })
