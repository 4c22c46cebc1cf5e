/** A pool that a buyback hook is to use for good, and its window. Free: the pool's id where neither the call nor its plan gives it, and the window before. */

import { Either, Option, Schema } from "effect"
import { BUYBACK_HOOK } from "../../../effects/Contracts.ts"
import { exactlyOne, is, type Rule } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate, type Scene } from "../../../effects/Predicate.ts"
import { currencyOf, poolIdOf } from "../../../protocol/PoolIds.ts"
import { Address, Bytes32 } from "../../../values/Scalars.ts"

/** From version 1.4.0 on hooks keep the longest window as half an hour. */
const LONGEST_WINDOW = "172800"
const KEPT_FOR_LONGEST = "1800"

const isStoredFor =
  (asked: string): Rule =>
  stored =>
    stored === asked || (asked === LONGEST_WINDOW && stored === KEPT_FOR_LONGEST)

interface Asked {
  readonly projectId: string
  readonly twapWindow: string
  readonly terminalToken: Address
}

const chosen = <Args extends Asked>({ args, account, target, logs }: Scene<Args>, ofPool: Rule) =>
  Either.gen(function* () {
    const about = { projectId: args.projectId, terminalToken: currencyOf(args.terminalToken) }
    const added = yield* exactlyOne(logs, {
      emitter: target,
      event: "PoolAdded",
      about,
      says: { poolId: ofPool, caller: is(account) },
      shows: ["projectId", "terminalToken", "poolId"]
    })
    const changed = yield* exactlyOne(logs, {
      emitter: target,
      event: "TwapWindowChanged",
      about,
      says: { newWindow: isStoredFor(args.twapWindow), caller: is(account) },
      shows: ["newWindow"]
    })
    return [added, changed]
  })

const asked = { projectId: Schema.String, twapWindow: Schema.String, terminalToken: Address }

const kept = Schema.decodeUnknownOption(Schema.Struct({ poolId: Bytes32 }))

/** The hook completes the key by itself, with another oracle perhaps than when the plan showed the pool. */
const plannedPool = (summary: unknown): Rule =>
  Option.match(kept(summary), { onNone: () => () => true, onSome: ({ poolId }) => is(poolId) })

const setPool = predicate({
  name: "set_pool",
  contractId: BUYBACK_HOOK,
  signature: "setPoolFor(uint256,uint24,int24,uint256,address)",
  args: Schema.Struct(asked),
  judge: scene => chosen(scene, plannedPool(scene.summary))
})

const Key = Schema.Struct({
  currency0: Address,
  currency1: Address,
  fee: Schema.NumberFromString,
  tickSpacing: Schema.NumberFromString,
  hooks: Address
})

export const setPoolByKey = predicate({
  name: "set_pool_by_key",
  contractId: BUYBACK_HOOK,
  signature: "setPoolFor(uint256,(address,address,uint24,int24,address),uint256,address)",
  args: Schema.Struct({ ...asked, poolKey: Key }),
  judge: scene => chosen(scene, is(poolIdOf(scene.args.poolKey)))
})

export const prepareBuybackPoolEffects = planEffects({
  "JBBuybackHook.setPoolFor(uint256,uint24,int24,uint256,address)": setPool
})
