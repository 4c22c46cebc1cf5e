/** The running index of a local chain: it follows the chain and answers whoever asks. */
import { setTimeout } from "node:timers/promises"
import { type Addresses, chainClient } from "./follower/Chain.ts"
import { catchUp } from "./follower/Follower.ts"
import { takeOver } from "./Resume.ts"
import { listen } from "./Server.ts"
import { openSource } from "./Source.ts"

const INDEX_SCHEMA = "sandbox_index"

const POLL_MILLIS = 250
const PAUSE_MILLIS = 2_000

interface IndexOptions {
  readonly databaseUrl: string
  readonly rpcUrl: string
  readonly addresses: Addresses
  readonly report: (sentence: string) => void
}

export interface RunningIndex {
  readonly url: string
  /** Whether rows of an earlier run were there. */
  readonly resumed: boolean
  /** Reads what the chain has now. */
  readonly catchUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

const LOCAL_CHAIN = { chainId: 31_337, name: "sandbox" }

const sentenceOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const follow = async (
  step: () => Promise<unknown>,
  report: IndexOptions["report"],
  signal: AbortSignal
): Promise<void> => {
  while (!signal.aborted) {
    const pause = await step().then(
      () => POLL_MILLIS,
      cause => {
        report(`The local chain's events could not be read: ${sentenceOf(cause)}`)
        return PAUSE_MILLIS
      }
    )
    await setTimeout(pause, undefined, { signal }).catch(() => undefined)
  }
}

/** One at a time, whoever asks. */
const inTurn = (step: () => Promise<unknown>): (() => Promise<void>) => {
  let last: Promise<unknown> = Promise.resolve()
  return async () => {
    const next = last.catch(() => undefined).then(step)
    last = next
    await next
  }
}

/** Reads the whole chain before it answers. */
export const runIndex = async (options: IndexOptions): Promise<RunningIndex> => {
  const { databaseUrl, rpcUrl, addresses, report } = options
  const source = await openSource({ databaseUrl, schema: INDEX_SCHEMA })
  const closing: Array<() => Promise<void>> = [source.stop]
  const close = async () => {
    for (const end of closing.reverse()) await end()
  }
  try {
    const held = await takeOver(databaseUrl, source)
    closing.push(held.release)
    const following = {
      client: chainClient(rpcUrl),
      addresses,
      pool: source.pool,
      place: source,
      ...LOCAL_CHAIN
    }
    const step = inTurn(() => catchUp(following))
    await step()
    const aborting = new AbortController()
    const ended = follow(step, report, aborting.signal)
    closing.push(async () => {
      aborting.abort()
      await ended
    })
    const { url, stop } = await listen(source.answer)
    closing.push(stop)
    return { url, resumed: held.resumed, catchUp: step, stop: close }
  } catch (cause) {
    await close()
    throw cause
  }
}
