/** A local chain with the id and the clock of the recordings, and several questions in one round trip. */
import type { Hex } from "viem"
import { type Anvil, startAnvil } from "../../support/Anvil.ts"

export interface Question {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

export interface Answer {
  readonly result?: unknown
  readonly error?: { readonly message: string; readonly data?: unknown }
}

export interface Chain {
  readonly url: string
  /** Answers in the order of the questions, with what each reverted with. */
  readonly tried: (questions: ReadonlyArray<Question>) => Promise<ReadonlyArray<Answer>>
  readonly asked: (questions: ReadonlyArray<Question>) => Promise<ReadonlyArray<unknown>>
  readonly stop: () => Promise<void>
}

export const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

const ARGUMENTS = [
  ["--chain-id", "8453"],
  ["--gas-price", "0"],
  ["--block-base-fee-per-gas", "0"],
  ["--gas-limit", "1000000000000"],
  ["--no-mining", "--auto-impersonate", "--disable-code-size-limit"]
].flat()

interface Identified extends Answer {
  readonly id: number
}

const tryOn =
  ({ url }: Anvil): Chain["tried"] =>
  async questions => {
    const body = questions.map((question, id) => ({ jsonrpc: "2.0", id, ...question }))
    const headers = { "content-type": "application/json" }
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
    const answers: ReadonlyArray<Identified> = await answer.json()
    return [...answers].sort((a, b) => a.id - b.id)
  }

export const startChain = async (startTimestamp: number): Promise<Chain> => {
  const anvil = await startAnvil({ args: [...ARGUMENTS, "--timestamp", String(startTimestamp - 1)] })
  const tried = tryOn(anvil)
  const asked: Chain["asked"] = async questions => {
    const answers = await tried(questions)
    return answers.map(({ result, error }, at) => {
      if (error !== undefined)
        throw new Error(`${questions[at]?.method}: ${error.message} ${error.data ?? ""}`)
      return result
    })
  }
  return { url: anvil.url, tried, asked, stop: anvil.stop }
}
