/** A plan of one call that adds tiers to a project's shop and removes others. */

import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { observed } from "../../../values/Observed.ts"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { OF_TIERS, splitWarnings } from "../../configuration/SplitWarnings.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import { AT_ONCE } from "../../shared/context/Core.ts"
import { verify721 } from "../../shared/context/Shop.ts"
import { adjustmentWarnings } from "../AdjustmentWarnings.ts"
import { type FoundShop, findShop } from "../FindShop.ts"
import { Pricing, priced, ShopFlags, StoredTier } from "../Records.ts"
import { No721Shop } from "../refusals.ts"
import { effectivePrice } from "../TierPrices.ts"
import { type Removal, requireAddable, requireRemovable } from "../TierRules.ts"
import { adjustTiersCalls } from "./AdjustTiersCall.ts"
import { prepareAdjustTiers } from "./Declaration.ts"
import { prepareAdjustTiersEffects } from "./Effects.ts"
import { ADJUST_721_TIERS, hookOwnerCalls, requireHookOwner } from "./HookOwner.ts"

type Input = typeof prepareAdjustTiers.input.Type

const STORE = "JB721TiersHookStore"
/** No tier has this id, so that the shop's default is told. */
const NO_TIER = "0"

const removals = ({ read }: PinnedSnapshot, hook: Address, tierIds: ReadonlyArray<number>) =>
  Effect.forEach(
    tierIds,
    tierId =>
      Effect.map(
        Effect.all(
          {
            tier: read(STORE, "tierOf", [hook, String(tierId), false], StoredTier),
            isRemoved: read(STORE, "isTierRemoved", [hook, String(tierId)], Schema.Boolean)
          },
          AT_ONCE
        ),
        (found): Removal => ({ tierId, ...found })
      ),
    AT_ONCE
  )

const questions = (snapshot: PinnedSnapshot, { project, account, tierIdsToRemove }: Input, hook: Address) => {
  const { projectId } = project
  return {
    verified: verify721(snapshot, projectId, hook),
    by: requireHookOwner(snapshot, hook, { account, projectId }),
    maxTierId: snapshot.read(STORE, "maxTierIdOf", [hook], Uint256),
    flags: snapshot.read(STORE, "flagsOf", [hook], ShopFlags),
    defaultBeneficiary: snapshot.read(STORE, "reserveBeneficiaryOf", [hook, NO_TIER], Address),
    pricing: observed(snapshot.readAt("JB721TiersHook", hook, "pricingContext", [], Pricing)),
    projects: observed(snapshot.read("JBProjects", "count", [], Uint256)),
    removals: removals(snapshot, hook, tierIdsToRemove)
  }
}

/** One round trip. */
const readShop = Effect.fn("Shops.adjusted")(function* (
  snapshot: PinnedSnapshot,
  input: Input,
  hook: Address
) {
  const answers = yield* eachAtOnce(questions(snapshot, input, hook))
  return {
    ...(yield* answers.verified),
    by: yield* answers.by,
    maxTierId: yield* answers.maxTierId,
    flags: yield* answers.flags,
    defaultBeneficiary: yield* answers.defaultBeneficiary,
    pricing: yield* answers.pricing,
    projects: yield* answers.projects,
    removals: yield* answers.removals
  }
})

/** A data hook that payments pass by may be anything. */
const shopBehind = (snapshot: PinnedSnapshot, input: Input, hook: Address, { isActive }: FoundShop) => {
  const shop = readShop(snapshot, input, hook)
  const none = new No721Shop({ context: { projectId: input.project.projectId } })
  return isActive ? shop : Effect.catchTag(shop, "UNSUPPORTED_721_HOOK", () => none)
}

const tell = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: Input,
  hook: Address,
  found: FoundShop
) {
  const shop = yield* shopBehind(snapshot, input, hook, found)
  const { tiersToAdd } = input
  yield* requireAddable(tiersToAdd, shop)
  yield* Effect.forEach(shop.removals, requireRemovable)
  const firstId = BigInt(shop.maxTierId) + 1n
  return {
    summary: {
      hook,
      store: shop.store,
      permission: { required: "ADJUST_721_TIERS", id: ADJUST_721_TIERS, by: shop.by } as const,
      pricing: shop.pricing,
      firstNewTierId: String(firstId),
      addedTierCount: tiersToAdd.length,
      removedTierCount: shop.removals.length,
      newTiers: tiersToAdd.map(({ category, price, discountPercent, initialSupply }, index) => ({
        tierId: String(firstId + BigInt(index)),
        category,
        price,
        effectivePrice: String(effectivePrice(BigInt(price), discountPercent)),
        initialSupply
      })),
      removedTiers: shop.removals.map(({ tier }) => priced(tier))
    },
    warnings: [
      ...adjustmentWarnings(tiersToAdd, firstId),
      ...splitWarnings(
        tiersToAdd.flatMap(({ splits }) => splits),
        { count: shop.projects, own: BigInt(input.project.projectId) },
        OF_TIERS
      )
    ]
  }
})

export const runPrepareAdjustTiers = definePlan(
  prepareAdjustTiers,
  prepareAdjustTiersEffects,
  Effect.fnUntraced(function* (input, snapshot) {
    const { account, project } = input
    const { projectId } = project
    const ahead = snapshot.foresee(hookOwnerCalls(snapshot, { account, projectId }))
    const [found] = yield* Effect.all([findShop(snapshot, projectId), ahead], AT_ONCE)
    const { hook } = found
    if (hook === null) return yield* new No721Shop({ context: { projectId } })
    return { calls: adjustTiersCalls(input, { hook }), told: tell(snapshot, input, hook, found) }
  })
)
