/** Process clocks that differ from the machine's. */
import { Clock, Duration, Effect } from "effect"

const own = Clock.make()

const clockOf = (aheadMillis: () => number, pace: number): Clock.Clock => {
  const millis = () => own.unsafeCurrentTimeMillis() + aheadMillis()
  const nanos = () => own.unsafeCurrentTimeNanos() + BigInt(aheadMillis()) * 1_000_000n
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: millis,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanos: Effect.sync(nanos),
    sleep: duration => own.sleep(Duration.times(duration, 1 / pace))
  }
}

/** Tells the right time and waits a fraction of what it should, so that deadlines are over soon. */
export const hurriedClock = (pace: number): Clock.Clock => clockOf(() => 0, pace)

/** Set wrong by so many milliseconds, and wrong in another way whenever the figure changes. */
export const skewedClock = (aheadMillis: () => number): Clock.Clock => clockOf(aheadMillis, 1)
