/** How fast this machine is just now, its processor and its memory: the same work each time, so that figures of one run can be told from those of a slower hour. */
import { median, say } from "./Figures.ts"

const LOOKS = 20
const STEPS = 1_000_000

const work = (): number => {
  const kept = new Map<number, number>()
  let value = 0
  for (let step = 0; step < STEPS; step++) {
    value = (value * 31 + step) | 0
    kept.set(step % 1_000, value)
  }
  return kept.size
}

/** A power of two, so that each place is visited once before the first is again. */
const PLACES = 16 * 1_048_576
const VISITS = 1_000_000

/** Nanoseconds of a visit to a place in 64 MiB that the one before names: memory that no cache expects. */
const visitNanos = (): number => {
  const next = Uint32Array.from(
    { length: PLACES },
    (_, place) => (Math.imul(place, 1_664_525) + 1_013_904_223) & (PLACES - 1)
  )
  let place = 0
  const begun = performance.now()
  for (let visit = 0; visit < VISITS; visit++) place = next[place] ?? 0
  return place < PLACES ? ((performance.now() - begun) * 1_000_000) / VISITS : 0
}

const millisOf = (task: () => unknown): number => {
  const begun = performance.now()
  task()
  return performance.now() - begun
}

/** The first looks also compile the work, and the median passes over them. */
export const sayYardstick = (when: string): void => {
  const millis = Array.from({ length: LOOKS }, () => millisOf(work))
  say(
    `the yardstick, a fixed piece of work, takes ${median(millis).toFixed(1)} ms ${when}, a visit to memory ${visitNanos().toFixed(0)} ns`
  )
}
