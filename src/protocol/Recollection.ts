/** What chains answered before: guesses of what they will answer next, and what is true of a block for good. */
import { Context, Layer } from "effect"
import type { CallOutcome, CallRequest } from "../chain/ChainClient.ts"
import { type BlockMemory, makeBlockMemory } from "./BlockMemory.ts"

export interface RecollectionShape {
  readonly recall: (chainId: number, request: CallRequest) => CallOutcome | undefined
  readonly note: (chainId: number, request: CallRequest, answer: CallOutcome) => void
  readonly blocks: BlockMemory
}

const MOST_ENTRIES = 4096
const LONGEST_ANSWER = 2 + 2 * 1024

const keyOf = (chainId: number, { to, data }: CallRequest) => `${chainId}:${to}:${data}`

const make = (): RecollectionShape => {
  const answers = new Map<string, CallOutcome>()
  return {
    blocks: makeBlockMemory(),
    recall: (chainId, request) => answers.get(keyOf(chainId, request)),
    note: (chainId, request, answer) => {
      if (answer._tag !== "Returned" || answer.data.length > LONGEST_ANSWER) return
      const key = keyOf(chainId, request)
      answers.delete(key)
      answers.set(key, answer)
      const [oldest] = answers.keys()
      if (answers.size > MOST_ENTRIES && oldest !== undefined) answers.delete(oldest)
    }
  }
}

export class Recollection extends Context.Tag("protocol/Recollection")<Recollection, RecollectionShape>() {
  static readonly layer = Layer.sync(Recollection, make)
}
