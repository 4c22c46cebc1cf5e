/** Asking again for what takes its time. */
import { assert } from "vitest"

const POLL_MILLIS = 25
const PATIENCE_MILLIS = 20_000

/** Asks until the answer fits, for a bounded time. */
export const until = async <A>(ask: () => Promise<A>, fits: (value: A) => boolean): Promise<A> => {
  const end = performance.now() + PATIENCE_MILLIS
  for (;;) {
    const value = await ask()
    if (fits(value)) return value
    if (performance.now() > end) return assert.fail(`not in time: ${JSON.stringify(value)}`)
    await new Promise(resolve => setTimeout(resolve, POLL_MILLIS))
  }
}
