/** Parts in processes of their own that nothing waits for and that come back where they end. */
import { Effect, Schedule, type Scope } from "effect"
import { type Launch, launched } from "./BoundProcess.ts"

const run = Effect.fn("Returning.run")(function* (launch: Launch) {
  const { ended } = yield* launched(launch)
  const { sentence } = yield* ended
  yield* Effect.logWarning(`${sentence.replace(/\.$/, "")}; it is started again.`)
}, Effect.scoped)

const AGAIN = Schedule.exponential("1 second").pipe(
  Schedule.union(Schedule.spaced("30 seconds")),
  Schedule.resetAfter("1 minute")
)

export const returning = (launch: Launch): Effect.Effect<void, never, Scope.Scope> =>
  Effect.repeat(run(launch), AGAIN).pipe(Effect.forkScoped, Effect.asVoid)
