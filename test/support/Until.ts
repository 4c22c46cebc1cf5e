/** Asking again for what takes its time. */
import { assert } from "vitest"

const POLL_MILLIS = 25
const PATIENCE_MILLIS = 20_000
/** No round takes more of the patience: a machine that stood still meanwhile has spent none. */
const ROUND_MILLIS = 2_000

/** Asks until the answer fits, for a bounded time. */
export const until = async <A>(ask: () => Promise<A>, fits: (value: A) => boolean): Promise<A> => {
  let spent = 0
  for (;;) {
    const began = performance.now()
    const value = await ask()
    if (fits(value)) return value
    if (spent > PATIENCE_MILLIS) return assert.fail(`not in time: ${JSON.stringify(value)}`)
    await new Promise(resolve => setTimeout(resolve, POLL_MILLIS))
    spent += Math.min(performance.now() - began, ROUND_MILLIS)
  }
}
