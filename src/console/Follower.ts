/** Looks again and again, ever less often, until there is nothing more to see; a hidden page does not look. */
import { ServiceProblem } from "../client/Errors.ts"
import { realSystem } from "../client/System.ts"

const FIRST_MILLIS = 500
const LONGEST_MILLIS = 8_000
const GROWTH = 1.5

interface Looks {
  /** What changed is looked at sooner again. */
  readonly look: () => Promise<"changed" | "same" | "over">
  readonly failed: (failure: unknown, againInSeconds: number) => void
}

const retryAfter = (failure: unknown): number =>
  failure instanceof ServiceProblem ? (failure.retryAfterSeconds ?? 0) * 1000 : 0

const isShown = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = () => {
      if (document.hidden) return
      document.removeEventListener("visibilitychange", look)
      resolve()
    }
    signal.addEventListener("abort", () => {
      document.removeEventListener("visibilitychange", look)
      reject(signal.reason)
    })
    document.addEventListener("visibilitychange", look)
    look()
  })

const keepLooking = async ({ look, failed }: Looks, signal: AbortSignal): Promise<void> => {
  let pause = FIRST_MILLIS
  for (;;) {
    await isShown(signal)
    try {
      const seen = await look()
      if (seen === "over") return
      pause = seen === "changed" ? FIRST_MILLIS : Math.min(pause * GROWTH, LONGEST_MILLIS)
    } catch (failure) {
      pause = Math.max(retryAfter(failure), Math.min(pause * 2, LONGEST_MILLIS))
      if (!signal.aborted) failed(failure, Math.ceil(pause / 1000))
    }
    await realSystem.sleep(pause, signal)
  }
}

/** What it gives ends it. */
export const startFollowing = (looks: Looks): (() => void) => {
  const ending = new AbortController()
  keepLooking(looks, ending.signal).catch(() => {})
  return () => ending.abort()
}
