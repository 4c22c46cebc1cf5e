/** Random operations that a session may make, and what makes each of them one that its guard refuses. */
import { concatHex } from "viem"
import { sessionDigest } from "../../../src/sessions/Compile.ts"
import { sessionEnvelope } from "../../../src/sessions/Envelope.ts"
import { encodePolicy } from "../../../src/sessions/Policy.ts"
import type { SessionPolicy } from "../../../src/sessions/PolicyShape.ts"
import type { GuardedOperation } from "../../../src/sessions/ValidateOperation.ts"
import { type Address, type Hex, ZERO_ADDRESS } from "../../../src/values/Scalars.ts"
import { executionCalldata } from "../../../src/values/WalletExecution.ts"
import { join, signParts, type TestKey } from "../../signatures/TestKeys.ts"
import { GUARD } from "../../smartaccounts/support/Wallets.ts"
import type { Dice } from "../../support/Dice.ts"
import { type Place, wordOf } from "./Policies.ts"

export interface Draft {
  readonly caller: Address
  readonly sender: Address
  readonly nonce: bigint
  readonly initCode: Hex
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
  /** What the calldata becomes once it is encoded. */
  readonly reshaped: (callData: Hex) => Hex
  readonly limits: { readonly verification: bigint; readonly call: bigint; readonly before: bigint }
  readonly fee: bigint
  readonly priority: bigint
  readonly paymasterAndData: Hex
  readonly permissionId: Hex
  readonly encoded: Hex
  readonly resigned: (signature: Hex) => Hex
  readonly enveloped: (envelope: Hex) => Hex
}

export interface Signer {
  readonly key: TestKey
  readonly permissionId: Hex
  readonly policy: SessionPolicy
}

const same = (bytes: Hex): Hex => bytes
const half = (value: bigint): Hex => `0x${value.toString(16).padStart(32, "0")}`

const put = (data: Hex, offset: number, word: Hex): Hex => {
  const start = 2 + 2 * (4 + offset)
  return `0x${data.slice(2, start)}${word.slice(2)}${data.slice(start + 64)}`
}

const allowedCall = (dice: Dice, { actions }: SessionPolicy) => {
  const action = dice.pick(actions)
  const length = dice.pick([action.minimumLength, action.maximumLength])
  const bytes: Hex = `${action.selector}${dice.bytes(Math.max(length - 4, 0)).slice(2)}`
  const perCall = BigInt(action.perCall)
  const amount = dice.pick([0n, 1n, perCall / 2n, perCall, perCall])
  const data = action.rules.reduce(
    (call, { condition, offset, word }) => put(call, offset, condition === 0 ? word : wordOf(amount)),
    bytes
  )
  const counts = action.rules.some(({ condition }) => condition === 1)
  return { to: action.target, data, value: action.valueMode === 1 && counts ? amount : 0n }
}

const allowedGas = (dice: Dice, { gas }: SessionPolicy) => {
  const most = BigInt(gas.maxGasPerOperation)
  const total = dice.pick([most, most / 2n, 100_000n])
  const isPaid = gas.paymaster !== ZERO_ADDRESS
  const share = total / 5n
  const paymaster = isPaid ? 2n * share : 0n
  const data = dice.bytes(gas.paymasterDataLength)
  return {
    limits: { verification: share, call: share, before: total - 2n * share - paymaster },
    fee: BigInt(gas.maxFeePerGas),
    priority: dice.pick([0n, BigInt(gas.maxPriorityFeePerGas)]),
    paymasterAndData: isPaid ? concatHex([gas.paymaster, half(share), half(share), data]) : ("0x" as const)
  }
}

export const allowedDraft = (dice: Dice, { account }: Place, { policy, permissionId }: Signer): Draft => ({
  caller: account,
  sender: account,
  nonce: (BigInt(GUARD) << 96n) | BigInt(dice.below(2 ** 31)),
  initCode: "0x",
  ...allowedCall(dice, policy),
  reshaped: same,
  ...allowedGas(dice, policy),
  permissionId,
  encoded: encodePolicy(policy),
  resigned: same,
  enveloped: same
})

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const highHalf = (signature: Hex): Hex => {
  const s = (ORDER - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0")
  return `0x${signature.slice(2, 66)}${s}${signature.endsWith("1b") ? "1c" : "1b"}`
}

const flippedBit = (bytes: Hex, dice: Dice, from = 0): Hex => {
  const digits = bytes.slice(2)
  if (digits.length <= from) return bytes
  const at = from + dice.below(digits.length - from)
  const digit = (Number.parseInt(digits.charAt(at), 16) ^ (1 << dice.below(4))).toString(16)
  return `0x${digits.slice(0, at)}${digit}${digits.slice(at + 1)}`
}

const at = (callData: Hex, word: number, value: Hex): Hex => {
  const start = 10 + 64 * word
  return `0x${callData.slice(2, start)}${value.slice(2)}${callData.slice(start + 64)}`
}

type Change = (draft: Draft, dice: Dice, place: Place, policy: SessionPolicy) => Partial<Draft>

const reshaping =
  (reshaped: (callData: Hex, dice: Dice) => Hex): Change =>
  (_, dice) => ({ reshaped: callData => reshaped(callData, dice) })

const enveloping =
  (enveloped: (envelope: Hex, dice: Dice) => Hex): Change =>
  (_, dice) => ({ enveloped: envelope => enveloped(envelope, dice) })

const mode = (type: string) => reshaping(callData => at(callData, 0, `0x${type.padEnd(64, "0")}`))

const around: ReadonlyArray<Change> = [
  (_, dice) => ({ sender: dice.pick([GUARD, ZERO_ADDRESS]) }),
  (_, __, { person }) => ({ caller: person }),
  enveloping(() => "0x"),
  enveloping(envelope => `0x00${envelope.slice(4)}`),
  enveloping(envelope => `${envelope}00`),
  enveloping(envelope => `0x${envelope.slice(2, -2)}`),
  enveloping((envelope, dice) => `0x${envelope.slice(2, 2 + 2 * dice.below(200))}`),
  enveloping((_, dice) => `0x01${dice.bytes(101).slice(2)}`),
  enveloping((envelope, dice) => flippedBit(envelope, dice)),
  enveloping((envelope, dice) => `0x${envelope.slice(2, 68)}${dice.bytes(4).slice(2)}${envelope.slice(76)}`),
  (_, dice) => ({ permissionId: dice.bytes(32) }),
  ({ encoded }, dice) => ({ encoded: flippedBit(encoded, dice) }),
  ({ encoded }) => ({ encoded: `${encoded}${"00".repeat(32)}` }),
  () => ({ initCode: "0x00" }),
  ({ nonce }) => ({ nonce: nonce | (1n << 64n) }),
  ({ nonce }) => ({ nonce: nonce ^ (1n << 255n) }),
  ({ nonce }, dice) => ({ nonce: nonce & ((1n << BigInt(dice.pick([64, 96]))) - 1n) }),
  (_, dice) => ({ resigned: () => dice.bytes(65) }),
  () => ({ resigned: highHalf }),
  () => ({ resigned: signature => `0x${signature.slice(2, -2)}${signature.endsWith("1b") ? "00" : "01"}` }),
  () => ({ resigned: signature => `0x${signature.slice(2, -2)}${signature.endsWith("1b") ? "1c" : "1b"}` }),
  () => ({ resigned: () => `0x${"00".repeat(65)}` })
]

const MOST_128 = 2n ** 128n - 1n
const MOST_256 = 2n ** 256n - 1n

const paid: ReadonlyArray<Change> = [
  ({ paymasterAndData }) => ({ paymasterAndData: `${paymasterAndData}00` }),
  ({ paymasterAndData }) => ({
    paymasterAndData: paymasterAndData === "0x" ? "0x" : `0x${paymasterAndData.slice(2, -2)}`
  }),
  ({ paymasterAndData }) => ({ paymasterAndData: paymasterAndData === "0x" ? `0x${"11".repeat(52)}` : "0x" }),
  ({ paymasterAndData }, dice, { nobody }) => ({
    paymasterAndData: paymasterAndData === "0x" ? dice.bytes(20) : `${nobody}${paymasterAndData.slice(42)}`
  }),
  ({ limits }) => ({ limits: { ...limits, call: MOST_128 } }),
  () => ({ limits: { verification: MOST_128, call: MOST_128, before: MOST_128 } }),
  ({ limits }) => ({ limits: { ...limits, before: MOST_128 + 1n } }),
  ({ limits }) => ({ limits: { ...limits, before: MOST_256 } }),
  ({ limits }) => ({ limits: { ...limits, verification: limits.verification * 6n + 1n } }),
  () => ({ limits: { verification: 0n, call: 0n, before: 0n } }),
  ({ fee }) => ({ fee: fee + 1n }),
  () => ({ fee: MOST_128 }),
  ({ fee }) => ({ priority: fee + 1n })
]

/** Another word where the action has one that must be equal, if it has. */
const otherWord: Change = ({ to, data }, dice, _, { actions }) => {
  const action = actions.find(({ target, selector }) => target === to && data.startsWith(selector))
  const equal = (action?.rules ?? []).filter(({ condition }) => condition === 0)
  return equal.length === 0 ? {} : { data: put(data, dice.pick(equal).offset, dice.bytes(32)) }
}

const called: ReadonlyArray<Change> = [
  otherWord,
  otherWord,
  otherWord,
  ...["01", "0001", "0101", "fe", "ff", "ff01", "0000000001", `${"00".repeat(31)}01`].map(mode),
  reshaping(callData => `0x8dd7712f${callData.slice(10)}`),
  reshaping(callData => `0x8dd7712f${callData.slice(2)}`),
  reshaping(callData => at(callData, 1, wordOf(96n))),
  reshaping(callData => at(callData, 1, wordOf(MOST_256 - 31n))),
  reshaping(callData => at(callData, 2, wordOf(BigInt(`0x${callData.slice(138, 202)}`) + 1n))),
  reshaping(callData => at(callData, 2, wordOf(BigInt(`0x${callData.slice(138, 202)}`) - 1n))),
  reshaping((callData, dice) => at(callData, 2, wordOf(dice.pick([0n, 51n, 52n, MOST_256, MOST_256 - 31n])))),
  reshaping(callData => `${callData}00`),
  reshaping(callData => `${callData}${"00".repeat(32)}`),
  reshaping(callData => `0x${callData.slice(2, -2)}`),
  reshaping(callData => `0x${callData.slice(2, -2)}01`),
  reshaping((callData, dice) => `0x${callData.slice(2, 2 + 2 * dice.below(callData.length / 2))}`),
  reshaping(() => "0x"),
  reshaping((callData, dice) => flippedBit(callData, dice)),
  (_, __, { account }) => ({ to: account }),
  (_, dice) => ({ to: dice.pick([GUARD, ZERO_ADDRESS]) }),
  (_, dice, { targets }) => ({ to: dice.pick(targets) }),
  () => ({ data: "0x" }),
  ({ data }) => ({ data: `0x${data.slice(2, 8)}` }),
  ({ data }) => ({ data: `0x${data.slice(2, 10)}` }),
  ({ data }, dice) => ({ data: `${dice.bytes(4)}${data.slice(10)}` }),
  ({ data }) => ({ data: `${data}${"00".repeat(41)}` }),
  ({ data }) => ({ data: data.length > 10 ? `0x${data.slice(2, -2)}` : data }),
  ({ data }, dice) => ({ data: flippedBit(data, dice, 8) }),
  ({ value }) => ({ value: value + 1n }),
  ({ value }) => ({ value: value > 0n ? 0n : MOST_256 }),
  ({ data }) => ({ data: `0x${data.slice(2, 10)}${"ff".repeat((data.length - 10) / 2)}` })
]

/** Each makes another operation of one, most of which no guard takes. */
export const draftChanges: ReadonlyArray<Change> = [...around, ...paid, ...called]

export interface Drafted {
  readonly caller: Address
  readonly operation: GuardedOperation
  readonly operationHash: Hex
}

/** Its hash is any: the guard is told it, and the key signs it. */
export const drafted = (draft: Draft, { key }: Signer, operationHash: Hex): Drafted => {
  const signature = signParts(key, sessionDigest(operationHash))
  const signed = draft.resigned(join(signature, 27 + signature.recoveryId))
  const { limits } = draft
  return {
    caller: draft.caller,
    operationHash,
    operation: {
      sender: draft.sender,
      nonce: draft.nonce,
      initCode: draft.initCode,
      callData: draft.reshaped(executionCalldata([{ to: draft.to, value: draft.value, data: draft.data }])),
      accountGasLimits: concatHex([half(limits.verification), half(limits.call)]),
      preVerificationGas: limits.before,
      gasFees: concatHex([half(draft.priority), half(draft.fee)]),
      paymasterAndData: lower(draft.paymasterAndData),
      signature: draft.enveloped(sessionEnvelope(draft.permissionId, draft.encoded, signed))
    }
  }
}

const lower = (bytes: Hex): Hex => `0x${bytes.slice(2).toLowerCase()}`
