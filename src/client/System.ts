/** Time and chance of the client, replaceable so that tests hold both by the hand. */
export interface System {
  /** Unix milliseconds of this machine. */
  readonly now: () => number
  /** Rejects with the signal's reason when it aborts. */
  readonly sleep: (millis: number, signal?: AbortSignal) => Promise<void>
  readonly randomBytes: (length: number) => Uint8Array
}

const sleep = (millis: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, millis)
    signal?.addEventListener("abort", abort, { once: true })
  })

/** Leaves work that takes no signal, such as a wallet's, to itself; what it would send, the signal stops. */
export const unlessAborted = async <A>(work: Promise<A>, signal: AbortSignal | undefined): Promise<A> => {
  if (signal === undefined) return work
  let leave = () => {}
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener("abort", leave, { once: true })
  })
  return Promise.race([work, left]).finally(() => signal.removeEventListener("abort", leave))
}

export const realSystem: System = {
  now: () => Date.now(),
  sleep,
  randomBytes: length => crypto.getRandomValues(new Uint8Array(length))
}
