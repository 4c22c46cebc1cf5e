/** A claim whose answer was lost may stand all the same, and nobody but who made it has the token that allows its sending. */
import { Effect, FiberSet, Schedule } from "effect"
import type { DatabaseUnavailable } from "../database/refusals.ts"

/** Five minutes with their pauses: so long a commit may wait for a standby. */
const LOOKS = Schedule.intersect(Schedule.exponential("500 millis", 1.5), Schedule.recurs(14))

/** Gives what looks for a while, beside its caller, whether a claim stands, and only then sends. */
export const unheardClaims = Effect.map(
  FiberSet.make<void>(),
  looking =>
    <A, E>(stands: Effect.Effect<boolean, DatabaseUnavailable>, send: Effect.Effect<A, E>) => {
      const standing = Effect.retry(Effect.filterOrFail(stands, Boolean), LOOKS)
      const sending = Effect.ignore(Effect.zipRight(standing, send))
      return Effect.asVoid(FiberSet.run(looking, Effect.interruptible(sending)))
    }
)
