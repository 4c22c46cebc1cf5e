/** A plan of one call that changes the time over which a buyback hook averages a pool's price. */

import { Effect } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { poolIdOf } from "../../../protocol/PoolIds.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import type { Address } from "../../../values/Scalars.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import { AT_ONCE } from "../../shared/context/Core.ts"
import { foreseeAuthority } from "../../shared/context/Permissions.ts"
import { readKey, readWindow } from "../BuybackPools.ts"
import { type BuybackInUse, buybackInUse, hooksInUse, requireAuthority } from "../Choosing.ts"
import { foreseeBuyback } from "../ForeseeBuyback.ts"
import { isEmptyKey } from "../Pools.ts"
import { PoolNotSet } from "../refusals.ts"
import { prepareBuybackTwap } from "./Declaration.ts"
import { prepareBuybackTwapEffects } from "./Effects.ts"

type Input = typeof prepareBuybackTwap.input.Type

const CONTRACT = "JBBuybackHook"
const SET_BUYBACK_TWAP = 28

const SHORTER = "A shorter window is cheaper to manipulate: the hook then takes a moved price for a fair one."
const UNCHANGED = "The window is this one already."

export const buybackTwapCalls = (
  { project, terminalToken, twapWindowSeconds }: Input,
  { hook }: { readonly hook: Address }
): ReadonlyArray<PlannedCall<typeof prepareBuybackTwapEffects>> => [
  {
    contract: CONTRACT,
    address: hook,
    function: "setTwapWindowOf(uint256,address,uint256)",
    args: [project.projectId, terminalToken, String(twapWindowSeconds)],
    label: `Average the pool of project ${project.projectId} over ${twapWindowSeconds} seconds`
  }
]

const warningsOf = (oldWindow: string, newWindow: number) => {
  if (BigInt(oldWindow) > BigInt(newWindow)) return [SHORTER]
  return BigInt(oldWindow) === BigInt(newWindow) ? [UNCHANGED] : []
}

/** No round trip where the hook was foreseen. */
const tell = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: Input,
  { hook, proved }: BuybackInUse
) {
  const { terminalToken, twapWindowSeconds } = input
  const authority = yield* requireAuthority(snapshot, input, SET_BUYBACK_TWAP)
  const place = { snapshot, projectId: input.project.projectId, hook, token: terminalToken }
  const [key, oldWindow] = yield* Effect.all([readKey(place), readWindow(place), proved], AT_ONCE)
  if (isEmptyKey(key)) return yield* new PoolNotSet({ context: { hook, terminalToken } })
  return {
    summary: {
      ...{ hook, authority, terminalToken, key, oldWindow },
      poolId: poolIdOf(key),
      newWindow: String(twapWindowSeconds)
    },
    warnings: warningsOf(oldWindow, twapWindowSeconds)
  }
})

export const runPrepareBuybackTwap = definePlan(
  prepareBuybackTwap,
  prepareBuybackTwapEffects,
  (input, snapshot) =>
    Effect.gen(function* () {
      const { account, project, terminalToken } = input
      const { hooks } = yield* eachAtOnce({
        hooks: hooksInUse(snapshot, project.projectId),
        authority: foreseeAuthority(snapshot, account, project.projectId, SET_BUYBACK_TWAP),
        buyback: foreseeBuyback(snapshot, project.projectId, terminalToken)
      })
      const inUse = yield* buybackInUse(snapshot, yield* hooks)
      return { calls: buybackTwapCalls(input, inUse), told: tell(snapshot, input, inUse) }
    })
)
