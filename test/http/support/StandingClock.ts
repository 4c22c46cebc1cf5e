/** A process clock that stands in the middle of a minute, so that no minute of a budget ends within a test; waits take as long as ever. */
import type { Clock } from "effect"
import { skewedClock } from "../../support/Clocks.ts"

const MINUTE_MILLIS = 60_000

export const standingClock = (): Clock.Clock => {
  const stood = (Math.floor(Date.now() / MINUTE_MILLIS) + 0.5) * MINUTE_MILLIS
  return skewedClock(() => stood - Date.now())
}
