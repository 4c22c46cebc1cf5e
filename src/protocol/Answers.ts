/** What a call of one word said, or why it proves nothing. */
import { Either } from "effect"
import type { CallOutcome, CallRequest } from "../chain/ChainClient.ts"
import { RpcUnavailable } from "../chain/refusals.ts"
import { checksummed } from "../values/Checksum.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import { memo } from "../values/Memo.ts"
import type { Address, Hex } from "../values/Scalars.ts"

export interface Flaw {
  readonly reason: string
  /** The node gave no answer at all, so nothing was disproved either. */
  readonly rpcCode?: number
}

export type CheckedAnswer<A> = Either.Either<A, Flaw>

export const flawed = (reason: string): Either.Either<never, Flaw> => Either.left({ reason })

/** A node's error without revert data says nothing about the contract. */
export const nodeRefused = (rpcCode: number) =>
  new RpcUnavailable({ detail: "The chain's node refused the call.", context: { rpcCode } })

const WORD_DIGITS = 64

const wordOf = (value: string | bigint): string => BigInt(value).toString(16).padStart(WORD_DIGITS, "0")

const SELECTORS_KEPT = 256
const selectors = memo<string>(SELECTORS_KEPT)
const selectorOf = (signature: string): string =>
  selectors(signature, () => keccak256Utf8(signature).slice(2, 10))

/** For parameters of one word each: addresses and unsigned integers. */
export const invocation = (
  to: Address,
  signature: string,
  ...words: ReadonlyArray<string | bigint>
): CallRequest => ({
  to,
  data: `0x${selectorOf(signature)}${words.map(wordOf).join("")}`
})

export const returnedWord = (value: string | bigint): CallOutcome => ({
  _tag: "Returned",
  data: `0x${wordOf(value)}`
})

const word = (outcome: CallOutcome): CheckedAnswer<Hex> => {
  if (outcome._tag === "Refused")
    return Either.left({ reason: "the node gave no answer", rpcCode: outcome.code })
  if (outcome._tag === "Reverted") return flawed("the call reverts")
  if (outcome.data === "0x") return flawed("the answer is empty")
  return outcome.data.length === 2 + WORD_DIGITS
    ? Either.right(outcome.data)
    : flawed("the answer is not one word")
}

const ADDRESS_WORD = /^0x0{24}[0-9a-f]{40}$/

export const addressIn = (outcome: CallOutcome): CheckedAnswer<Address> =>
  Either.flatMap(word(outcome), data =>
    ADDRESS_WORD.test(data)
      ? Either.right(checksummed(`0x${data.slice(26)}`))
      : flawed("the answer is no address")
  )

export const numberIn = (outcome: CallOutcome): CheckedAnswer<bigint> => Either.map(word(outcome), BigInt)

export const positiveIn = (outcome: CallOutcome): CheckedAnswer<bigint> =>
  Either.flatMap(numberIn(outcome), number =>
    number === 0n ? flawed("the answer is zero") : Either.right(number)
  )

export const trueIn = (outcome: CallOutcome): CheckedAnswer<bigint> =>
  Either.flatMap(numberIn(outcome), number =>
    number === 1n
      ? Either.right(number)
      : flawed(number === 0n ? "the answer is false" : "the answer is no boolean")
  )

export const sameAddress = (expected: Address) => (outcome: CallOutcome) =>
  Either.flatMap(addressIn(outcome), address =>
    address === expected ? Either.right(address) : flawed(`the answer is ${address}`)
  )
