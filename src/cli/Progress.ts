/** Shows on a terminal that work goes on: a line that is written over, and gone before anything else is said. */

interface Screen {
  readonly write: (text: string) => unknown
}

export interface Progress {
  /** Wipes the line; it comes again while the work goes on. */
  readonly clear: () => void
  /** Nothing is shown as long as somebody is asked. */
  readonly paused: <A>(work: () => Promise<A>) => Promise<A>
  readonly stop: () => void
}

const QUIET_SECONDS = 2
const WIPE = "\r\u001b[K"

export const noProgress: Progress = { clear: () => {}, paused: work => work(), stop: () => {} }

export const progressOn = (screen: Screen): Progress => {
  let seconds = 0
  let isShown = false
  let isPaused = false
  const clear = () => {
    if (isShown) screen.write(WIPE)
    isShown = false
  }
  const timer = setInterval(() => {
    if (isPaused) return
    seconds += 1
    if (seconds < QUIET_SECONDS) return
    screen.write(`${WIPE}… ${seconds} s`)
    isShown = true
  }, 1_000)
  timer.unref()
  const paused = async <A>(work: () => Promise<A>): Promise<A> => {
    clear()
    isPaused = true
    try {
      return await work()
    } finally {
      isPaused = false
    }
  }
  const stop = () => {
    clearInterval(timer)
    clear()
  }
  return { clear, paused, stop }
}
