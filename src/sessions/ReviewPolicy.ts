/** The rules by which a guard takes a policy or not, in the order in which it looks. */
import { type Address, type Bytes32, ZERO_ADDRESS } from "../values/Scalars.ts"
import { ZERO_HASH } from "./Compile.ts"
import {
  firstBroken,
  type GuardCheck,
  type GuardGround,
  type GuardRule,
  MAXIMUM_POLICY_MEMBERS
} from "./GuardState.ts"
import type { SessionAction, SessionPolicy } from "./PolicyShape.ts"
import { MAXIMUM_SESSION_CALLS, MAXIMUM_SESSION_PAYMASTER_DATA } from "./SessionInput.ts"

const DAY = 86_400
const LIVES = [7 * DAY, 30 * DAY]
const NO_CODE: Bytes32 = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"

/** An action's mark that it counts in no allocation. */
export const NO_ALLOCATION = 255

/** Of the selector, before the first argument byte. */
export const SELECTOR_BYTES = 4
const WORD_BYTES = 32

const hasCode = ({ codeHashOf }: GuardGround, address: Address, codeHash: Bytes32): boolean =>
  codeHashOf(address) === codeHash && codeHash !== ZERO_HASH && codeHash !== NO_CODE

const paysWell = (ground: GuardGround, { gas }: SessionPolicy): boolean => {
  const isPaid = gas.paymaster !== ZERO_ADDRESS
  return isPaid
    ? hasCode(ground, gas.paymaster, gas.paymasterCodeHash)
    : gas.paymasterCodeHash === ZERO_HASH && gas.paymasterDataLength === 0
}

/** One operation at its ceilings is within the totals. */
const isGasBounded = (ground: GuardGround, policy: SessionPolicy): boolean => {
  const { gas } = policy
  const most = BigInt(gas.maxGasPerOperation)
  const fee = BigInt(gas.maxFeePerGas)
  return (
    most > 0n &&
    fee > 0n &&
    BigInt(gas.maxPriorityFeePerGas) <= fee &&
    BigInt(gas.totalGas) >= most &&
    BigInt(gas.totalCost) >= most * fee &&
    gas.paymasterDataLength <= MAXIMUM_SESSION_PAYMASTER_DATA &&
    paysWell(ground, policy)
  )
}

const isTimely = ({ validAfter, validUntil }: SessionPolicy, now: number): boolean =>
  LIVES.includes(validUntil - validAfter) && validUntil > now && validAfter <= now + DAY

/** Words in order, none twice, all within the shortest call. */
const areRulesWellFormed = ({ rules, minimumLength, perCall }: SessionAction): boolean => {
  const counted = rules.filter(({ condition }) => condition === 1)
  return (
    counted.length <= 1 &&
    counted.every(({ word }) => BigInt(word) === BigInt(perCall)) &&
    rules.every(
      ({ condition, offset }, index) =>
        condition <= 1 &&
        offset % WORD_BYTES === 0 &&
        offset > (rules[index - 1]?.offset ?? -1) &&
        SELECTOR_BYTES + offset + WORD_BYTES <= minimumLength
    )
  )
}

const areLimitsWellFormed = ({ allocations }: SessionPolicy, action: SessionAction): boolean => {
  const perCall = BigInt(action.perCall)
  const total = BigInt(action.total)
  const isCounted = action.rules.some(({ condition }) => condition === 1)
  if (!isCounted)
    return perCall === 0n && total === 0n && action.allocation === NO_ALLOCATION && action.valueMode === 0
  if (perCall === 0n || perCall > total) return false
  if (action.allocation === NO_ALLOCATION) return true
  const limit = allocations[action.allocation]?.limit
  return limit !== undefined && total <= BigInt(limit)
}

const isWellFormed = (ground: GuardGround, policy: SessionPolicy, action: SessionAction): boolean =>
  hasCode(ground, action.target, action.codeHash) &&
  action.valueMode <= 1 &&
  action.minimumLength >= SELECTOR_BYTES &&
  action.minimumLength <= action.maximumLength &&
  areRulesWellFormed(action) &&
  areLimitsWellFormed(policy, action)

const isAdministrative = (
  { account, guard, entryPoint, adapter }: GuardGround,
  { target }: SessionAction
): boolean => [account, guard, entryPoint, adapter].includes(target)

const isRepeated = (actions: ReadonlyArray<SessionAction>, index: number): boolean =>
  actions.findIndex(
    ({ target, selector }) => target === actions[index]?.target && selector === actions[index]?.selector
  ) < index

const actionChecks = (ground: GuardGround, policy: SessionPolicy): ReadonlyArray<GuardCheck> =>
  policy.actions.flatMap(
    (action, index): ReadonlyArray<GuardCheck> => [
      [10, () => action.rules.length <= MAXIMUM_POLICY_MEMBERS],
      [11, () => !isAdministrative(ground, action)],
      [12, () => isWellFormed(ground, policy, action)],
      [13, () => !isRepeated(policy.actions, index)]
    ]
  )

/** Undefined: the guard takes the policy, as far as the policy alone decides. */
export const policyFault = (
  ground: GuardGround,
  policy: SessionPolicy,
  now: number
): GuardRule | undefined => {
  const { actions, allocations } = policy
  const isNamed = policy.sessionKey !== ZERO_ADDRESS && policy.nonce !== ZERO_HASH
  return firstBroken([
    [7, () => isNamed && policy.generation !== "0"],
    [8, () => isTimely(policy, now)],
    [9, () => policy.maximumCalls >= 1 && policy.maximumCalls <= MAXIMUM_SESSION_CALLS],
    [9, () => isGasBounded(ground, policy)],
    [10, () => allocations.length <= MAXIMUM_POLICY_MEMBERS],
    [10, () => actions.length >= 1 && actions.length <= MAXIMUM_POLICY_MEMBERS],
    [9, () => allocations.every(({ id, limit }) => id !== ZERO_HASH && limit !== "0")],
    ...actionChecks(ground, policy)
  ])
}
