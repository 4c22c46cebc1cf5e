/** How many upstream calls the process may still make in the current fixed minute. */
import { Effect } from "effect"
import { RpcBudget } from "./refusals.ts"

/** Counts calls that are about to be made, or tells why they may not be. */
export type Spend = (calls: number) => RpcBudget | undefined

export interface CallBudget {
  readonly take: Spend
  /** Counts calls that must not be refused: bytes already admitted, and health. */
  readonly note: Spend
}

const MINUTE = 60_000

export const makeCallBudget = (perMinute: number): Effect.Effect<CallBudget> =>
  Effect.map(Effect.clock, clock => {
    let minute = 0
    let spent = 0
    const spend = (calls: number, refusable: boolean) => {
      const now = clock.unsafeCurrentTimeMillis()
      const current = Math.floor(now / MINUTE)
      if (current !== minute) spent = 0
      minute = current
      if (refusable && spent + calls > perMinute)
        return new RpcBudget({ retryAfterSeconds: Math.ceil(((minute + 1) * MINUTE - now) / 1_000) })
      spent += calls
      return undefined
    }
    return { take: calls => spend(calls, true), note: calls => spend(calls, false) }
  })
