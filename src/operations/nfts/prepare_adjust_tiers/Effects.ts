/** Tiers added to a shop and removed from it, as the hook that the plan proved says; ids are given in order. */

import { Either, Schema } from "effect"
import { TIERS_HOOK } from "../../../catalog/CloneFamilies.ts"
import { addedTiers } from "../../../effects/AddedTiers.ts"
import type { EventFields } from "../../../effects/Events.ts"
import { doubted, eventsAbout, type Verdict } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate, type Scene } from "../../../effects/Predicate.ts"
import { ADJUST_TIERS } from "../../../protocol/ShopFunctions.ts"

const Args = Schema.Struct({
  tiersToAdd: Schema.Array(Schema.Unknown),
  tierIdsToRemove: Schema.Array(Schema.String)
})

const removedTiers = ({
  args: { tierIdsToRemove: wanted },
  account,
  target,
  logs
}: Scene<typeof Args.Type>): Verdict<ReadonlyArray<EventFields>> => {
  const event = "RemoveTier"
  const subject = { emitter: target, event, about: { caller: account } }
  return Either.flatMap(eventsAbout(logs, subject), removed => {
    if (removed.length !== wanted.length)
      return doubted(`${removed.length} tiers were removed instead of ${wanted.length}`)
    const ids = removed.map(({ tierId }) => String(tierId)).sort()
    return wanted.toSorted().every((id, index) => id === ids[index])
      ? Either.right(removed.map(({ tierId }) => ({ event, tierId })))
      : doubted(`the ${event} event has another tierId`)
  })
}

const adjustTiers = predicate({
  name: "adjust_tiers",
  contractId: TIERS_HOOK,
  signature: ADJUST_TIERS,
  target: "planned",
  args: Args,
  judge: scene =>
    Either.gen(function* () {
      const { args, account, logs, target } = scene
      const removed = yield* removedTiers(scene)
      const added = yield* addedTiers({
        logs,
        hook: target,
        about: { caller: account },
        tiers: args.tiersToAdd
      })
      return [...removed, ...added]
    })
})

const ADJUST = `JB721TiersHook.${ADJUST_TIERS}` as const

export const prepareAdjustTiersEffects = planEffects({
  [ADJUST]: adjustTiers
})
