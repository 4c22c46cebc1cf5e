/** Process clocks that differ from the machine's. */
import { Clock, Duration, Effect } from "effect"
import { until } from "./Until.ts"

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

/** Whose time of day is put forward or back by so many milliseconds, while so many others pass at once for everybody. */
export const setClock = (aheadMillis: () => number, passedMillis = () => 0): Clock.Clock => {
  const nanos = () => own.unsafeCurrentTimeNanos() + BigInt(passedMillis()) * 1_000_000n
  return {
    ...clockOf(() => aheadMillis() + passedMillis(), 1),
    unsafeCurrentTimeNanos: nanos,
    currentTimeNanos: Effect.sync(nanos)
  }
}

/** Waits of these lengths are over when that is told, and never before; all others take as long as ever. */
export const toldClock = (lengths: ReadonlyArray<Duration.DurationInput>) => {
  const told = new Set(lengths.map(Duration.toMillis))
  const waiting = new Set<{ readonly millis: number; readonly end: () => void }>()
  const held = (millis: number) =>
    Effect.async<void>(resume => {
      const wait = { millis, end: () => resume(Effect.void) }
      waiting.add(wait)
      return Effect.sync(() => waiting.delete(wait))
    })
  const clock: Clock.Clock = {
    ...clockOf(() => 0, 1),
    sleep: duration => {
      const millis = Duration.toMillis(duration)
      return told.has(millis) ? held(millis) : own.sleep(duration)
    }
  }
  const of = (length: Duration.DurationInput) =>
    [...waiting].filter(({ millis }) => millis === Duration.toMillis(length))
  /** Once somebody waits as long. */
  const begun = (length: Duration.DurationInput) =>
    until(
      async () => of(length).length,
      count => count > 0
    )
  const over = async (length: Duration.DurationInput) => {
    await begun(length)
    for (const wait of of(length)) {
      waiting.delete(wait)
      wait.end()
    }
  }
  return { clock, begun, over }
}
