/**
 * Calls that need words of what earlier ones answer, in one round trip, by the creation code of
 * sandbox/contracts/programs/DependentCalls.sol. What they answer at the block is kept for whoever asks the same later.
 */
import { Effect, Either, Schema } from "effect"
import { decodeAbiParameters, encodeAbiParameters } from "viem"
import program from "../../sandbox/artifacts/DependentCalls.json" with { type: "json" }
import type { ChainSession, Read } from "../chain/ChainClient.ts"
import { apart, call, creationCall } from "../chain/PinnedReads.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import { checksummed } from "../values/Checksum.ts"
import { type Address, type Bytes32, Hex, ZERO_ADDRESS } from "../values/Scalars.ts"
import { invocation } from "./Answers.ts"

export const DEPENDENT_CALLS: Hex = Schema.decodeUnknownSync(Hex)(program.bytecode)

/** The word `index` of what the call at position `call` answered, or what it leaves of the minuend, which is not zero. */
export interface Word {
  readonly call: number
  readonly index: number
  readonly minuend?: bigint
}

export interface DependentCall {
  readonly to: Address | Word
  readonly signature: string
  /** The words of the calldata, so that arrays are written out as offset, length and members. */
  readonly words?: ReadonlyArray<string | bigint | Word>
}

const CALLS = [
  {
    type: "tuple[]",
    components: [
      { name: "to", type: "address" },
      { name: "data", type: "bytes" },
      {
        name: "words",
        type: "tuple[]",
        components: [
          { name: "call", type: "uint256" },
          { name: "index", type: "uint256" },
          { name: "at", type: "uint256" },
          { name: "minuend", type: "uint256" }
        ]
      }
    ]
  }
] as const

const ANSWERS = [
  {
    type: "tuple[]",
    components: [
      { name: "told", type: "bool" },
      { name: "data", type: "bytes" }
    ]
  }
] as const

const SELECTOR = 4
const WORD = 32
const NO_MINUEND = 0n
/** In place of a byte of the calldata: the word is the address to call. */
const TARGET = 2n ** 256n - 1n

const isWord = (value: string | bigint | Word): value is Word => typeof value === "object"

const encoded = ({ to, signature, words = [] }: DependentCall) => ({
  ...invocation(
    isWord(to) ? ZERO_ADDRESS : to,
    signature,
    ...words.map(value => (isWord(value) ? 0n : value))
  ),
  words: [...(isWord(to) ? [[to, TARGET] as const] : []), ...places(words)].map(([word, at]) => ({
    call: BigInt(word.call),
    index: BigInt(word.index),
    at,
    minuend: word.minuend ?? NO_MINUEND
  }))
})

const places = (words: ReadonlyArray<string | bigint | Word>) =>
  words.flatMap((value, position) =>
    isWord(value) ? [[value, BigInt(SELECTOR + position * WORD)] as const] : []
  )

const programOf = (calls: ReadonlyArray<DependentCall>): Hex =>
  `${DEPENDENT_CALLS}${encodeAbiParameters(CALLS, [calls.map(encoded)]).slice(2)}`

type Told = ReadonlyArray<Hex | undefined>

const toldBy = (data: Hex): Told =>
  Either.getOrElse(
    Either.try(() =>
      decodeAbiParameters(ANSWERS, data)[0].map(({ told, data }) => (told ? data : undefined))
    ),
    () => []
  )

const wordIn = (told: Told, { call, index, minuend }: Word): bigint | undefined => {
  const data = told[call] ?? "0x"
  const digits = data.slice(2 + index * 2 * WORD, 2 + (index + 1) * 2 * WORD)
  if (digits.length < 2 * WORD) return undefined
  const word = BigInt(`0x${digits}`)
  if (minuend === undefined) return word
  return word > minuend ? undefined : minuend - word
}

const ADDRESSES = 2n ** 160n

/** The call as it was made; undefined where the words that it needs were not there. */
const made = ({ to, signature, words = [] }: DependentCall, told: Told) => {
  const filled = words.flatMap(value => (isWord(value) ? (wordIn(told, value) ?? []) : value))
  const target = isWord(to) ? wordIn(told, to) : BigInt(to)
  if (target === undefined || filled.length < words.length) return undefined
  const address = checksummed(`0x${(target % ADDRESSES).toString(16).padStart(40, "0")}`)
  return invocation(address, signature, ...filled)
}

const keyOf = (params: ReadonlyArray<unknown>): string => JSON.stringify(params).toLowerCase()

/** Only what succeeded is kept: inside another call a call may fail for want of gas. */
export const foretelling = (session: ChainSession, hash: Bytes32) => {
  const kept = new Map<string, Hex>()
  const ask = <A>(read: Read<A>): Effect.Effect<A, RpcFailure> => {
    const foretold = kept.size > 0 && read.method === "eth_call" ? kept.get(keyOf(read.params)) : undefined
    return foretold === undefined
      ? Effect.map(session.all([read]), ([answer]) => answer)
      : read.decode(foretold)
  }
  const askApart = <A>(read: Read<A>): Effect.Effect<A, RpcFailure> => Effect.flatten(ask(apart(read)))
  const keep = (calls: ReadonlyArray<DependentCall>, told: Told) => {
    for (const [position, each] of calls.entries()) {
      const [request, data] = [made(each, told), told[position]]
      if (request !== undefined && data !== undefined) kept.set(keyOf(call(request, hash).params), data)
    }
  }
  /** Never fails: whatever was not told is asked by itself. */
  const foresee = (calls: ReadonlyArray<DependentCall>): Effect.Effect<void> =>
    calls.length === 0
      ? Effect.void
      : session.all([creationCall(programOf(calls), hash)]).pipe(
          Effect.tap(([outcome]) =>
            Effect.sync(() => keep(calls, outcome._tag === "Returned" ? toldBy(outcome.data) : []))
          ),
          Effect.ignore
        )
  return { ask, askApart, foresee }
}
