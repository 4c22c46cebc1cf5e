/** The hashes by which a guard knows a policy, and the signature field that presents it. */
import { digitsOf, word } from "../values/AbiWords.ts"
import { keccak256, keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import { fromHex } from "../values/TypedDataHash.ts"
import { encodePolicy } from "./Policy.ts"
import type { SessionPolicy } from "./PolicyShape.ts"

/** A wallet under a guard. */
export interface GuardedWallet {
  readonly chainId: number
  readonly guard: Address
  readonly account: Address
}

export const ZERO_HASH: Bytes32 = `0x${"00".repeat(32)}`

const hashOfWords = (...words: ReadonlyArray<string>): Bytes32 => keccak256(fromHex(`0x${words.join("")}`))

const wordsOf = ({ chainId, guard, account }: GuardedWallet): ReadonlyArray<string> => [
  word(chainId),
  word(guard),
  word(account)
]

export const policyHash = (encoded: Hex): Bytes32 => keccak256(fromHex(encoded))

/** Of the text by which a request names an allocation. */
export const allocationId = (text: string): Bytes32 => keccak256Utf8(text)

type Names = Pick<SessionPolicy, "sessionKey" | "generation" | "nonce">

export const permissionIdOf = (wallet: GuardedWallet, { sessionKey, generation, nonce }: Names): Bytes32 =>
  hashOfWords(...wordsOf(wallet), word(sessionKey), word(generation), word(nonce))

/** What the owners acknowledge, the guard keeps and each operation presents. */
export const compiledHashFrom = (wallet: GuardedWallet, hash: Bytes32): Bytes32 =>
  hashOfWords(...wordsOf(wallet), word(hash))

export const compiledHashOf = (wallet: GuardedWallet, encoded: Hex): Bytes32 =>
  compiledHashFrom(wallet, policyHash(encoded))

const HISTORY_ACTIONS = { enable: 1, revoke: 2, uninstall: 3 } as const

export interface HistoryEntry {
  readonly action: keyof typeof HISTORY_ACTIONS
  readonly permissionId: Bytes32
  readonly compiledHash: Bytes32
  readonly enableNonce: bigint
  readonly epoch: bigint
}

export const historyAfter = (history: Bytes32, entry: HistoryEntry): Bytes32 =>
  hashOfWords(
    word(history),
    word(HISTORY_ACTIONS[entry.action]),
    word(entry.permissionId),
    word(entry.compiledHash),
    word(entry.enableNonce),
    word(entry.epoch)
  )

/** Where the guard keeps the compiled hash of a permission; its counters follow. */
export const compiledHashSlot = (account: Address, permissionId: Bytes32): Bytes32 =>
  hashOfWords(word(account), digitsOf(hashOfWords(word(permissionId), word(0))))

const LANE_BITS = 32n

/** What the nonce of each operation begins with that a guard's key signs; lane 0. */
export const guardNonceKey = (guard: Address): bigint => BigInt(guard) << LANE_BITS

/** What the session key signs, as `personal_sign` does: the operation's hash, raw. */
export const sessionDigest = (operationHash: Bytes32): Uint8Array => {
  const prefix = new TextEncoder().encode("\x19Ethereum Signed Message:\n32")
  return fromHex(keccak256(new Uint8Array([...prefix, ...fromHex(operationHash)])))
}

const LARGEST_128 = String((1n << 128n) - 1n)
const LARGEST_256 = String((1n << 256n) - 1n)

/** The same policy with room for the limits by which bundlers search for how much gas an operation needs. */
const withoutCeilings = ({ gas, ...policy }: SessionPolicy): SessionPolicy => ({
  ...policy,
  gas: {
    ...gas,
    maxGasPerOperation: LARGEST_128,
    maxFeePerGas: LARGEST_128,
    maxPriorityFeePerGas: LARGEST_128,
    totalGas: LARGEST_256,
    totalCost: LARGEST_256
  }
})

export interface SessionEstimation {
  /** What the estimated operation presents in place of its policy. */
  readonly encoded: Hex
  /** As a bundler takes it: the one word by which the guard takes this policy for the enabled one. */
  readonly stateOverride: Readonly<
    Record<Address, { readonly stateDiff: Readonly<Record<Bytes32, Bytes32>> }>
  >
}

/** Of an operation's estimation alone; nothing that is sent presents this policy, and no chain keeps its hash. */
export const sessionEstimation = (wallet: GuardedWallet, policy: SessionPolicy): SessionEstimation => {
  const encoded = encodePolicy(withoutCeilings(policy))
  const slot = compiledHashSlot(wallet.account, permissionIdOf(wallet, policy))
  return {
    encoded,
    stateOverride: { [wallet.guard]: { stateDiff: { [slot]: compiledHashOf(wallet, encoded) } } }
  }
}
