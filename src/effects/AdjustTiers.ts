/** Tiers added to a shop and removed from it, as the hook that the plan proved says; ids are given in order. */
import { Either, Schema } from "effect"
import { TIERS_HOOK } from "../catalog/CloneFamilies.ts"
import { ADJUST_TIERS } from "../protocol/ShopFunctions.ts"
import { addedTiers } from "./AddedTiers.ts"
import type { Fields } from "./Events.ts"
import { doubted, eventsAbout, type Verdict } from "./Judgement.ts"
import { predicate, type Scene } from "./Predicate.ts"

const Args = Schema.Struct({
  tiersToAdd: Schema.Array(Schema.Unknown),
  tierIdsToRemove: Schema.Array(Schema.String)
})

const removedTiers = ({
  args: { tierIdsToRemove: wanted },
  account,
  target,
  logs
}: Scene<typeof Args.Type>): Verdict<ReadonlyArray<Fields>> => {
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

export const adjustTiers = predicate({
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
