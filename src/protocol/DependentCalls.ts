/**
 * Calls that need words of what earlier ones answer, in one round trip, by the creation code of
 * sandbox/contracts/programs/DependentCalls.sol. What they answer at the block is kept for whoever asks the same later.
 */
import { Effect, Either } from "effect"
import { decodeAbiParameters, encodeAbiParameters } from "viem"
import type { ChainSession, Read } from "../chain/ChainClient.ts"
import { call, creationCall } from "../chain/PinnedReads.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import { type Address, type Bytes32, checksummed, type Hex, ZERO_ADDRESS } from "../values/Scalars.ts"
import { invocation } from "./Answers.ts"

export const DEPENDENT_CALLS: Hex =
  "0x608060405234801561000f575f5ffd5b5060405161072738038061072783398101604081905261002e91610487565b5f81516001600160401b0381111561004857610048610334565b60405190808252806020026020018201604052801561008d57816020015b604080518082019091525f8152606060208201528152602001906001900390816100665790505b5090505f5b82518110156101a7576100c48382815181106100b0576100b0610610565b6020026020010151836101d360201b60201c565b1561019f578281815181106100db576100db610610565b60200260200101515f01516001600160a01b031683828151811061010157610101610610565b60200260200101516020015160405161011a9190610624565b5f60405180830381855afa9150503d805f8114610152576040519150601f19603f3d011682016040523d82523d5f602084013e610157565b606091505b5083838151811061016a5761016a610610565b60200260200101515f0184848151811061018657610186610610565b6020026020010151602001829052821515151581525050505b600101610092565b505f816040516020016101ba919061063a565b6040516020818303038152906040529050805160208201f35b5f5f5b836040015151811015610328575f846040015182815181106101fa576101fa610610565b602002602001015190505f84825f01518151811061021a5761021a610610565b602002602001015160200151905084825f01518151811061023d5761023d610610565b60200260200101515f0151158061026e5750602082015161025f9060016106e9565b61026a9060206106fc565b8151105b1561027e575f935050505061032e565b5f5f8360200151600161029191906106e9565b61029c9060206106fc565b905080830151915083606001515f146102db5783606001518211156102c8575f9550505050505061032e565b8184606001516102d89190610713565b91505b5f198460400151036102fb57506001600160a01b03168652506103209050565b602080890151604086015190915f91610313916106e9565b9190910192909252505050505b6001016101d6565b50600190505b92915050565b634e487b7160e01b5f52604160045260245ffd5b604051608081016001600160401b038111828210171561036a5761036a610334565b60405290565b604051606081016001600160401b038111828210171561036a5761036a610334565b604051601f8201601f191681016001600160401b03811182821017156103ba576103ba610334565b604052919050565b5f6001600160401b038211156103da576103da610334565b5060051b60200190565b5f82601f8301126103f3575f5ffd5b8151610406610401826103c2565b610392565b8082825260208201915060208360071b860101925085831115610427575f5ffd5b602085015b8381101561047d5760808188031215610443575f5ffd5b61044b610348565b81518152602080830151818301526040808401519083015260608084015190830152908452929092019160800161042c565b5095945050505050565b5f60208284031215610497575f5ffd5b81516001600160401b038111156104ac575f5ffd5b8201601f810184136104bc575f5ffd5b80516104ca610401826103c2565b8082825260208201915060208360051b8501019250868311156104eb575f5ffd5b602084015b838110156106055780516001600160401b0381111561050d575f5ffd5b85016060818a03601f19011215610522575f5ffd5b61052a610370565b60208201516001600160a01b0381168114610543575f5ffd5b815260408201516001600160401b0381111561055d575f5ffd5b82016020810190603f018b13610571575f5ffd5b80516001600160401b0381111561058a5761058a610334565b61059d601f8201601f1916602001610392565b8181528c60208385010111156105b1575f5ffd5b8160208401602083015e5f6020928201830152908301525060608201516001600160401b038111156105e1575f5ffd5b6105f08b6020838601016103e4565b604083015250845250602092830192016104f0565b509695505050505050565b634e487b7160e01b5f52603260045260245ffd5b5f82518060208501845e5f920191825250919050565b5f602082016020835280845180835260408501915060408160051b8601019250602086015f5b828110156106c957603f198786030184528151805115158652602081015190506040602087015280518060408801528060208301606089015e5f606082890101526060601f19601f83011688010196505050602082019150602084019350600181019050610660565b50929695505050505050565b634e487b7160e01b5f52601160045260245ffd5b8082018082111561032e5761032e6106d5565b808202811582820484141761032e5761032e6106d5565b8181038181111561032e5761032e6106d556fe"

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
    const foretold = read.method === "eth_call" ? kept.get(keyOf(read.params)) : undefined
    return foretold === undefined
      ? Effect.map(session.all([read]), ([answer]) => answer)
      : read.decode(foretold)
  }
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
  return { ask, foresee }
}
