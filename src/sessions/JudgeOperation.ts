/** What the guard would refuse of an operation, said as the service refuses it: by its rule, or by the counter that has too little left. */
import { Effect, Either } from "effect"
import { SessionBudgetExhausted, SessionCallRefused } from "../useroperations/refusals.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import { checkCall } from "./CheckCall.ts"
import { allocationId, ZERO_HASH } from "./Compile.ts"
import {
  EMPTY_RECORD,
  type GuardGround,
  type GuardRule,
  NOTHING_SPENT,
  type PermissionState,
  withPermission
} from "./GuardState.ts"
import type { SessionPolicy } from "./PolicyShape.ts"
import { countedGas, type GuardedOperation, validateOperation } from "./ValidateOperation.ts"

/** As it was compiled. */
export interface UsedSession {
  readonly policy: SessionPolicy
  readonly permissionId: Bytes32
  /** As the request named them. */
  readonly allocationIds: ReadonlyArray<string>
}

const UNSPENT = { actionSpent: NOTHING_SPENT, allocationSpent: NOTHING_SPENT }

/** By the policy alone: as if nothing were spent, and its targets were as they were compiled. */
const unspent = (policy: SessionPolicy, callData: Hex) => {
  const { actions } = policy
  const codeHashOf = (address: string) =>
    actions.find(({ target }) => target === address)?.codeHash ?? ZERO_HASH
  return checkCall({ codeHashOf }, policy, UNSPENT, callData)
}

const callRefused = (rule: GuardRule) => new SessionCallRefused({ context: { rule } })

export const checkSessionCall = (
  policy: SessionPolicy,
  callData: Hex
): Effect.Effect<void, SessionCallRefused> =>
  Either.match(unspent(policy, callData), { onLeft: callRefused, onRight: () => Effect.void })

interface Spending {
  readonly counter: string
  readonly used: bigint
  readonly needed: bigint
  readonly limit: string
}

/** Of what the call counts, where it is not beyond what one call may. */
const spendings = (
  { policy, allocationIds }: UsedSession,
  state: PermissionState,
  callData: Hex
): ReadonlyArray<Spending> => {
  const alone = Either.getOrElse(unspent(policy, callData), () => UNSPENT)
  const actions = policy.actions.map(({ total }, index) => ({
    counter: `action:${index}`,
    used: state.actionSpent[index] ?? 0n,
    needed: alone.actionSpent[index] ?? 0n,
    limit: total
  }))
  const allocations = policy.allocations.map(({ id, limit }, index) => ({
    counter: `allocation:${allocationIds.find(text => allocationId(text) === id) ?? id}`,
    used: state.allocationSpent[index] ?? 0n,
    needed: alone.allocationSpent[index] ?? 0n,
    limit
  }))
  return [...actions, ...allocations]
}

/** What each rule about totals counts. */
const countedBy = (
  rule: GuardRule,
  session: UsedSession,
  state: PermissionState,
  operation: GuardedOperation
): ReadonlyArray<Spending> => {
  const { maximumCalls, gas: budget } = session.policy
  if (rule === 28)
    return [{ counter: "calls", used: BigInt(state.calls), needed: 1n, limit: String(maximumCalls) }]
  if (rule === 33) return spendings(session, state, operation.callData)
  if (rule !== 27) return []
  const { gas, cost } = countedGas(operation)
  return [
    { counter: "gas", used: state.gas, needed: gas, limit: budget.totalGas },
    { counter: "cost", used: state.cost, needed: cost, limit: budget.totalCost }
  ]
}

/** By a total, where one has too little left; else by the rule. */
const refusalOf = (
  rule: GuardRule,
  session: UsedSession,
  state: PermissionState,
  operation: GuardedOperation
): SessionCallRefused | SessionBudgetExhausted => {
  const over = countedBy(rule, session, state, operation).find(
    ({ used, needed, limit }) => used + needed > BigInt(limit)
  )
  if (over === undefined) return callRefused(rule)
  const { counter, used, needed, limit } = over
  return new SessionBudgetExhausted({
    context: { counter, used: String(used), needed: String(needed), limit }
  })
}

/** Whoever signed it. */
export const checkSessionOperation = (
  ground: GuardGround,
  session: UsedSession,
  state: PermissionState,
  operation: GuardedOperation,
  operationHash: Bytes32
): Effect.Effect<void, SessionCallRefused | SessionBudgetExhausted> => {
  const record = withPermission(EMPTY_RECORD, session.permissionId, state)
  return Either.match(validateOperation(ground, record, operation, operationHash), {
    onLeft: rule => refusalOf(rule, session, state, operation),
    onRight: () => Effect.void
  })
}
