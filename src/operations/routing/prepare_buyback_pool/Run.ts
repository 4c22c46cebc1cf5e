/** A plan of one call that gives a buyback hook the pool to use for a token, for good. */

import { Effect } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { currencyOf, type PoolKey, poolIdOf } from "../../../protocol/PoolIds.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { Address, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import { AT_ONCE } from "../../shared/context/Core.ts"
import { foreseeAuthority } from "../../shared/context/Permissions.ts"
import { readKey } from "../BuybackPools.ts"
import { type BuybackInUse, buybackInUse, hooksInUse, requireAuthority } from "../Choosing.ts"
import { foreseeBuyback } from "../ForeseeBuyback.ts"
import { readPoolState } from "../PoolReads.ts"
import { isEmptyKey } from "../Pools.ts"
import { InvalidPoolPair, OracleUnset, PoolAlreadySet, PoolNotInitialized } from "../refusals.ts"
import { prepareBuybackPool } from "./Declaration.ts"
import { prepareBuybackPoolEffects } from "./Effects.ts"

type Input = typeof prepareBuybackPool.input.Type

const CONTRACT = "JBBuybackHook"
const SET_BUYBACK_POOL = 29

const ALWAYS = [
  "The choice is permanent: the hook never takes another pool for this token.",
  "Whoever moves the pool's price within the window moves what the hook takes for a fair price."
]
const EMPTY = "Nothing is traded at the pool's present price: it has no liquidity there."
const SHORTENED = "Hooks from version 1.4.0 on store the longest window of 172,800 seconds as 1,800."

export const buybackPoolCalls = (
  { project, fee, tickSpacing, twapWindowSeconds, terminalToken }: Input,
  { hook }: { readonly hook: Address }
): ReadonlyArray<PlannedCall<typeof prepareBuybackPoolEffects>> => [
  {
    contract: CONTRACT,
    address: hook,
    function: "setPoolFor(uint256,uint24,int24,uint256,address)",
    args: [project.projectId, String(fee), String(tickSpacing), String(twapWindowSeconds), terminalToken],
    label: `Choose the buyback pool of project ${project.projectId}`
  }
]

/** One round trip. */
const firstAnswers = (snapshot: PinnedSnapshot, { account, project: { projectId }, terminalToken }: Input) =>
  eachAtOnce({
    hooks: hooksInUse(snapshot, projectId),
    authority: foreseeAuthority(snapshot, account, projectId, SET_BUYBACK_POOL),
    buyback: foreseeBuyback(snapshot, projectId, terminalToken),
    token: snapshot.read("JBTokens", "tokenOf", [projectId], Address)
  })

const keyOf = ({ terminalToken, fee, tickSpacing }: Input, token: Address, hooks: Address): PoolKey => {
  const other = currencyOf(terminalToken)
  const isFirst = BigInt(other) < BigInt(token)
  return {
    currency0: isFirst ? other : token,
    currency1: isFirst ? token : other,
    fee,
    tickSpacing,
    hooks
  }
}

/** No round trip where the hook was foreseen. */
const requireFree = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  { project: { projectId }, terminalToken }: Input,
  hook: Address
) {
  const { readAt } = snapshot
  const answers = yield* Effect.all(
    {
      key: readKey({ snapshot, projectId, hook, token: terminalToken }),
      oracle: readAt(CONTRACT, hook, "oracleHook", [], Address),
      poolManager: readAt(CONTRACT, hook, "poolManager", [], Address)
    },
    AT_ONCE
  )
  const { key, oracle, poolManager } = answers
  if (!isEmptyKey(key)) return yield* new PoolAlreadySet({ context: { poolId: poolIdOf(key) } })
  if (oracle === ZERO_ADDRESS) return yield* new OracleUnset({ context: { hook } })
  return { oracle, poolManager }
})

const requirePair = ({ terminalToken }: Input, token: Address) =>
  token === ZERO_ADDRESS || token === terminalToken
    ? new InvalidPoolPair({ context: { projectToken: token, terminalToken } })
    : Effect.void

const LONGEST_WINDOW = 172_800
const KEPT_FOR_LONGEST = 1_800

export const storedWindowOf = (version: string, seconds: number): number => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const shortens = major > 1 || (major === 1 && minor >= 4)
  return shortens && seconds === LONGEST_WINDOW ? KEPT_FOR_LONGEST : seconds
}

const versionOf = (snapshot: PinnedSnapshot, hook: Address): string =>
  snapshot.deploymentsOf(CONTRACT).find(({ address }) => address === hook)?.packageVersion ?? ""

/** One round trip. */
const tell = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: Input,
  { hook, proved }: BuybackInUse,
  projectToken: Address
) {
  const { terminalToken, twapWindowSeconds } = input
  const authority = yield* requireAuthority(snapshot, input, SET_BUYBACK_POOL)
  const { oracle, poolManager } = yield* requireFree(snapshot, input, hook)
  yield* requirePair(input, projectToken)
  const key = keyOf(input, projectToken, oracle)
  const [pool] = yield* Effect.all([readPoolState(snapshot, poolManager, key), proved], AT_ONCE)
  const poolId = poolIdOf(key)
  if (pool.sqrtPriceX96 === 0n) return yield* new PoolNotInitialized({ context: { poolId, poolManager } })
  const stored = storedWindowOf(versionOf(snapshot, hook), twapWindowSeconds)
  return {
    summary: {
      ...{ hook, authority, terminalToken, projectToken, key, poolId, poolManager },
      pool: {
        sqrtPriceX96: String(pool.sqrtPriceX96),
        tick: pool.tick,
        liquidity: String(pool.liquidity)
      },
      requestedTwapWindow: String(twapWindowSeconds),
      storedTwapWindow: String(stored)
    },
    warnings: [
      ...ALWAYS,
      ...(pool.liquidity === 0n ? [EMPTY] : []),
      ...(stored === twapWindowSeconds ? [] : [SHORTENED])
    ]
  }
})

export const runPrepareBuybackPool = definePlan(
  prepareBuybackPool,
  prepareBuybackPoolEffects,
  (input, snapshot) =>
    Effect.gen(function* () {
      const { hooks, token } = yield* firstAnswers(snapshot, input)
      const inUse = yield* buybackInUse(snapshot, yield* hooks)
      return {
        calls: buybackPoolCalls(input, inUse),
        told: tell(snapshot, input, inUse, yield* token)
      }
    })
)
