/** How fast this machine is just now: the same work each time, so that figures of one run can be told from those of a slower hour. */
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

const millisOf = (task: () => unknown): number => {
  const begun = performance.now()
  task()
  return performance.now() - begun
}

/** The first looks also compile the work, and the median passes over them. */
export const sayYardstick = (when: string): void => {
  const millis = Array.from({ length: LOOKS }, () => millisOf(work))
  say(`the yardstick, a fixed piece of work, takes ${median(millis).toFixed(1)} ms ${when}`)
}
