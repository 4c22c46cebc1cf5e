/** Queued rulesets, each as configured and in order. Free: the start where none was asked for. */

import { Either, Schema } from "effect"
import { CONTROLLER, RULESETS } from "../../../effects/Contracts.ts"
import type { Emitter, EventFields } from "../../../effects/Events.ts"
import {
  agreeing,
  between,
  doubted,
  eventsAbout,
  exactlyOne,
  is,
  type Verdict
} from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate, type Scene, sole } from "../../../effects/Predicate.ts"
import { QUEUE_RULESETS } from "../../../protocol/RulesetFunctions.ts"
import { isPackedAs, RulesetMetadata } from "../../../protocol/RulesetMetadata.ts"

const Configuration = Schema.Struct({
  mustStartAtOrAfter: Schema.String,
  duration: Schema.String,
  weight: Schema.String,
  weightCutPercent: Schema.String,
  approvalHook: Schema.String,
  metadata: RulesetMetadata
})

const Args = Schema.Struct({
  projectId: Schema.String,
  rulesetConfigurations: Schema.Array(Configuration),
  memo: Schema.String
})

/** Without a start the block's time is stored, which no ruleset's id lies before. */
const startOf = ({ mustStartAtOrAfter }: typeof Configuration.Type, rulesetId: unknown) =>
  mustStartAtOrAfter === "0" ? between("1", String(rulesetId)) : is(mustStartAtOrAfter)

const asConfigured = (configuration: typeof Configuration.Type, queued: EventFields): Verdict<EventFields> =>
  agreeing(
    {
      event: "RulesetQueued",
      says: {
        duration: is(configuration.duration),
        weight: is(configuration.weight),
        weightCutPercent: is(configuration.weightCutPercent),
        approvalHook: is(configuration.approvalHook),
        metadata: isPackedAs(configuration.metadata),
        mustStartAtOrAfter: startOf(configuration, queued.rulesetId)
      },
      shows: ["rulesetId", "mustStartAtOrAfter"]
    },
    queued
  )

const eachQueued = (
  { args, logs, target }: Scene<typeof Args.Type>,
  emitter: Emitter
): Verdict<ReadonlyArray<EventFields>> => {
  const about = { projectId: args.projectId, caller: target.address }
  const configurations = args.rulesetConfigurations
  return Either.flatMap(eventsAbout(logs, { emitter, event: "RulesetQueued", about }), queued =>
    queued.length === configurations.length
      ? Either.all(
          configurations.map((configuration, index) => asConfigured(configuration, queued[index] ?? {}))
        )
      : doubted(`${queued.length} rulesets were queued instead of ${configurations.length}`)
  )
}

const queueRulesets = predicate({
  name: "queue_rulesets",
  contractId: CONTROLLER,
  signature: QUEUE_RULESETS,
  witnesses: [RULESETS],
  args: Args,
  judge: scene =>
    Either.gen(function* () {
      const { args, account, target, logs, published } = scene
      const queueing = yield* exactlyOne(logs, {
        emitter: target,
        event: "QueueRulesets",
        about: { projectId: args.projectId, caller: account },
        says: { memo: is(args.memo) },
        shows: ["projectId", "rulesetId"]
      })
      const queued = yield* eachQueued(scene, yield* sole(published(RULESETS), RULESETS))
      if (queued.at(-1)?.rulesetId !== queueing.rulesetId)
        return yield* doubted("the QueueRulesets event has another rulesetId")
      return [queueing, ...queued]
    })
})

const QUEUE = `JBController.${QUEUE_RULESETS}` as const

export const prepareRulesetChangeEffects = planEffects({
  [QUEUE]: queueRulesets
})
