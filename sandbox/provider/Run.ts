/** The running provider of a local chain. */
import { setTimeout } from "node:timers/promises"
import type { Address } from "viem"
import { Book } from "./Book.ts"
import { Chain } from "./Chain.ts"
import { Executor } from "./Executor.ts"
import { standingContract } from "./Payments.ts"
import { Provider } from "./Provider.ts"
import { listen } from "./Server.ts"

export interface ProviderOptions {
  readonly rpcUrl: string
  /** Where its bundles are kept. */
  readonly file: string
  readonly token: string | undefined
  readonly port: number
  readonly report: (sentence: string) => void
}

export interface RunningProvider {
  readonly url: string
  readonly payments: Address
  readonly stop: () => Promise<void>
}

const POLL_MILLIS = 100
const PAUSE_MILLIS = 1_000

const inTurns = (): (<A>(act: () => Promise<A>) => Promise<A>) => {
  let last: Promise<unknown> = Promise.resolve()
  return act => {
    const next = last.then(act)
    last = next.catch(() => undefined)
    return next
  }
}

const sentenceOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const repeat = async (
  step: () => Promise<void>,
  report: ProviderOptions["report"],
  signal: AbortSignal
): Promise<void> => {
  while (!signal.aborted) {
    const pause = await step().then(
      () => POLL_MILLIS,
      cause => {
        report(`The local chain could not be read or written: ${sentenceOf(cause)}`)
        return PAUSE_MILLIS
      }
    )
    await setTimeout(pause, undefined, { signal }).catch(() => undefined)
  }
}

/** Its contract stands, and what was paid for before is executed, whoever asks or not. */
export const runProvider = async (options: ProviderOptions): Promise<RunningProvider> => {
  const chain = new Chain(options.rpcUrl)
  if (!(await chain.isOurs())) throw new Error("The provider serves the local chain alone.")
  const payments = await standingContract(chain)
  const book = new Book(options.file, { genesis: await chain.genesis() })
  const executor = new Executor({ chain, book, payments })
  const inTurn = inTurns()
  const provider = new Provider({ chain, book, executor, payments, inTurn })
  const { url, stop } = await listen({ provider, token: options.token, port: options.port })
  const aborting = new AbortController()
  const ended = repeat(() => inTurn(() => executor.step()), options.report, aborting.signal)
  const close = async () => {
    await stop()
    aborting.abort()
    await ended
    book.close()
  }
  return { url, payments: payments.address, stop: close }
}
