/** Asking again for what takes its time. */
import { assert } from "vitest"

const FIRST_POLL_MILLIS = 25
const LAST_POLL_MILLIS = 200
const PATIENCE_MILLIS = 60_000
/** No round takes more of the patience: a machine that stood still meanwhile has spent none. */
const ROUND_MILLIS = 2_000

/** Asks until the answer fits, for a bounded time. */
export const until = async <A>(ask: () => Promise<A>, fits: (value: A) => boolean): Promise<A> => {
  let spent = 0
  for (let poll = FIRST_POLL_MILLIS; ; poll = Math.min(1.4 * poll, LAST_POLL_MILLIS)) {
    const began = performance.now()
    const value = await ask()
    if (fits(value)) return value
    if (spent > PATIENCE_MILLIS) return assert.fail(`not in time: ${JSON.stringify(value)}`)
    await new Promise(resolve => setTimeout(resolve, poll))
    spent += Math.min(performance.now() - began, ROUND_MILLIS)
  }
}
