/** Whether everything on the machine stood still, by a clock that ought to tick: what is late then is late by nobody's fault. */

const TICK_MILLIS = 100
const STILL_MILLIS = 3_000
/** Processes may go on one after the other, and what waited has its own time left to run out. */
const AFTERMATH_MILLIS = 20_000

export const watchStandstill = () => {
  let ticked = performance.now()
  let endedAt = Number.NEGATIVE_INFINITY
  let seconds = 0
  const look = () => {
    const now = performance.now()
    const still = now - ticked
    if (still > STILL_MILLIS) {
      endedAt = now
      seconds += Math.round(still / 1_000)
    }
    ticked = now
  }
  const timer = setInterval(look, TICK_MILLIS)
  return {
    /** From shortly before that moment on. */
    wasSince: (at: number): boolean => {
      look()
      return endedAt >= at - AFTERMATH_MILLIS
    },
    seconds: () => seconds,
    stop: () => clearInterval(timer)
  }
}

export type Standstill = ReturnType<typeof watchStandstill>
