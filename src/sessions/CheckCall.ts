/** Whether a session may make a call, by the rules of the guard and in its order. */
import { Either } from "effect"
import { digitsOf, word } from "../values/AbiWords.ts"
import { checksummed } from "../values/Checksum.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import { executionCalldata, type WalletCall } from "../values/WalletExecution.ts"
import type { GuardGround, GuardRule, PermissionState } from "./GuardState.ts"
import type { SessionAction, SessionPolicy } from "./PolicyShape.ts"
import { NO_ALLOCATION, SELECTOR_BYTES } from "./ReviewPolicy.ts"

/** Digits of `execute(bytes32,bytes)` before the bytes, whose length is its last word; of target and value in them. */
const EXECUTION_DIGITS = 2 * (4 + 3 * 32)
const TARGET_DIGITS = 40
const CALL_DIGITS = TARGET_DIGITS + 64

/** The one call of a wallet's `execute`; undefined where the bytes are not those that this call has. */
const singleCall = (callData: Hex): WalletCall | undefined => {
  const digits = digitsOf(callData)
  if (digits.length < EXECUTION_DIGITS + CALL_DIGITS) return undefined
  const length = BigInt(`0x${digits.slice(EXECUTION_DIGITS - 64, EXECUTION_DIGITS)}`)
  if (length * 2n > BigInt(digits.length)) return undefined
  const execution = digits.slice(EXECUTION_DIGITS, EXECUTION_DIGITS + 2 * Number(length))
  if (execution.length < CALL_DIGITS) return undefined
  const call: WalletCall = {
    to: checksummed(`0x${execution.slice(0, TARGET_DIGITS)}`),
    value: BigInt(`0x${execution.slice(TARGET_DIGITS, CALL_DIGITS)}`),
    data: `0x${execution.slice(CALL_DIGITS)}`
  }
  return executionCalldata([call]) === `0x${digits}` ? call : undefined
}

const bytesOf = (data: Hex): number => (data.length - 2) / 2

const wordAt = (data: Hex, offset: number): string => {
  const start = 2 + 2 * (SELECTOR_BYTES + offset)
  return data.slice(start, start + 64)
}

/** What the call counts; undefined where the action counts nothing. */
const amountIn = ({ rules }: SessionAction, data: Hex): bigint | undefined => {
  const counted = rules.find(({ condition }) => condition !== 0)
  return counted && BigInt(`0x${wordAt(data, counted.offset)}`)
}

const added = (spent: ReadonlyArray<bigint>, index: number, amount: bigint): ReadonlyArray<bigint> =>
  spent.map((value, at) => (at === index ? value + amount : value))

type Spent = Pick<PermissionState, "actionSpent" | "allocationSpent">

const counted = (
  policy: SessionPolicy,
  index: number,
  amount: bigint,
  { actionSpent, allocationSpent }: Spent
): Either.Either<Spent, GuardRule> => {
  const action = policy.actions[index]
  if (action === undefined || amount > BigInt(action.perCall)) return Either.left(33)
  if ((actionSpent[index] ?? 0n) + amount > BigInt(action.total)) return Either.left(33)
  const spent = { actionSpent: added(actionSpent, index, amount), allocationSpent }
  if (action.allocation === NO_ALLOCATION) return Either.right(spent)
  const limit = policy.allocations[action.allocation]?.limit ?? "0"
  if ((allocationSpent[action.allocation] ?? 0n) + amount > BigInt(limit)) return Either.left(33)
  return Either.right({ ...spent, allocationSpent: added(allocationSpent, action.allocation, amount) })
}

const actionFor = ({ actions }: SessionPolicy, to: Address, data: Hex): number =>
  bytesOf(data) < SELECTOR_BYTES
    ? -1
    : actions.findIndex(({ target, selector }) => target === to && data.startsWith(selector))

/** What is spent after the call of this calldata, or the rule that it breaks. */
export const checkCall = (
  { codeHashOf }: Pick<GuardGround, "codeHashOf">,
  policy: SessionPolicy,
  { actionSpent, allocationSpent }: Spent,
  callData: Hex
): Either.Either<Spent, GuardRule> => {
  const call = singleCall(callData)
  if (call === undefined) return Either.left(29)
  const { to, value, data } = call
  const index = actionFor(policy, to, data)
  const action = policy.actions[index]
  if (action === undefined) return Either.left(34)
  const length = bytesOf(data)
  if (length < action.minimumLength || length > action.maximumLength) return Either.left(30)
  if (codeHashOf(to) !== action.codeHash) return Either.left(30)
  const equal = action.rules.filter(({ condition }) => condition === 0)
  if (equal.some(rule => wordAt(data, rule.offset) !== word(rule.word))) return Either.left(31)
  const spent = { actionSpent, allocationSpent }
  const amount = amountIn(action, data)
  if (value !== (action.valueMode === 1 ? (amount ?? 0n) : 0n)) return Either.left(32)
  return amount === undefined ? Either.right(spent) : counted(policy, index, amount, spent)
}
