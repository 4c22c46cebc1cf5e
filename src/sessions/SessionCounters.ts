/** What of a session is used up, by what its guard counted. */
import type { PermissionState } from "./GuardState.ts"
import type { SessionPolicy } from "./PolicyShape.ts"
import type { SessionCounter } from "./Session.ts"

type Spent = Pick<PermissionState, "calls" | "gas" | "cost" | "actionSpent" | "allocationSpent">

const counter = (name: string, used: bigint, limit: bigint): SessionCounter => ({
  name,
  used: String(used),
  limit: String(limit),
  remaining: String(limit > used ? limit - used : 0n)
})

const isCounted = ({ rules }: SessionPolicy["actions"][number]): boolean =>
  rules.some(({ condition }) => condition === 1)

/** By the texts by which the policy's allocations were asked for, in its order. */
export const sessionCounters = (
  { maximumCalls, gas, actions, allocations }: SessionPolicy,
  allocationIds: ReadonlyArray<string>,
  spent: Spent
): ReadonlyArray<SessionCounter> => [
  counter("calls", BigInt(spent.calls), BigInt(maximumCalls)),
  counter("gas", spent.gas, BigInt(gas.totalGas)),
  counter("cost", spent.cost, BigInt(gas.totalCost)),
  ...actions.flatMap((action, index) =>
    isCounted(action)
      ? [counter(`action:${index}`, spent.actionSpent[index] ?? 0n, BigInt(action.total))]
      : []
  ),
  ...allocations.map(({ limit }, index) =>
    counter(`allocation:${allocationIds[index]}`, spent.allocationSpent[index] ?? 0n, BigInt(limit))
  )
]

export const isWithinLimits = (counters: ReadonlyArray<SessionCounter>): boolean =>
  counters.every(({ used, limit }) => BigInt(used) <= BigInt(limit))

/** Whether any counts less than it did. */
export const isCountedLess = (
  before: ReadonlyArray<SessionCounter>,
  now: ReadonlyArray<SessionCounter>
): boolean =>
  before.some(({ name, used }) => {
    const same = now.find(each => each.name === name)
    return same !== undefined && BigInt(same.used) < BigInt(used)
  })
