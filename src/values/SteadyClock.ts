/** What lasts is measured by a clock that nobody sets, so that a time of day that is put back keeps nothing as it was for as long. */
import { Clock, type Duration, Effect } from "effect"

const NANOS_PER_MILLI = 1_000_000n

/** Of no day: only differences mean something. */
export const steadyMillis = (clock: Clock.Clock): number =>
  Number(clock.unsafeCurrentTimeNanos() / NANOS_PER_MILLI)

const steadyClock = (clock: Clock.Clock): Clock.Clock => ({
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  unsafeCurrentTimeMillis: () => steadyMillis(clock),
  unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
  currentTimeMillis: Effect.sync(() => steadyMillis(clock)),
  currentTimeNanos: Effect.sync(() => clock.unsafeCurrentTimeNanos()),
  sleep: duration => clock.sleep(duration)
})

/** Many who ask within that time share one look, which keeps its own clock. */
export const sharedFor = <A, E, R>(look: Effect.Effect<A, E, R>, lasts: Duration.DurationInput) =>
  Effect.flatMap(Effect.clock, clock =>
    Effect.map(Effect.cachedWithTTL(Effect.withClock(look, clock), lasts), shared =>
      Effect.withClock(shared, steadyClock(clock))
    )
  )
