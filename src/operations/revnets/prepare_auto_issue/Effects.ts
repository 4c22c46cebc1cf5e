/** What a stage of a revnet promised to a beneficiary, issued. Free: how much of it there was. */

import { Either, Schema } from "effect"
import { CONTROLLER, REVNET_OWNER } from "../../../effects/Contracts.ts"
import { agreeing, between, eventsAbout, exactlyOne, is } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { type EffectProof, predicate, type Scene, sole } from "../../../effects/Predicate.ts"

const Args = Schema.Struct({ revnetId: Schema.String, stageId: Schema.String, beneficiary: Schema.String })

type Issuing = Scene<typeof Args.Type>

/** The mint is part of the same call, so it may be missing but not say otherwise; that of another stage may stand beside it. */
const minted = ({ args, target, logs, published }: Issuing, count: unknown): EffectProof =>
  Either.gen(function* () {
    const event = "MintTokens"
    const { revnetId: projectId, beneficiary } = args
    const [first, ...others] = yield* eventsAbout(logs, {
      emitter: yield* sole(published(CONTROLLER), CONTROLLER),
      event,
      about: { projectId, beneficiary, caller: target.address }
    })
    if (first === undefined) return []
    const says = { tokenCount: is(count), beneficiaryTokenCount: is(count) }
    const own = others.find(({ tokenCount }) => says.tokenCount(tokenCount)) ?? first
    return [yield* agreeing({ event, says, shows: ["beneficiaryTokenCount"] }, own)]
  })

const autoIssue = predicate({
  name: "auto_issue",
  contractId: REVNET_OWNER,
  signature: "autoIssueFor(uint256,uint256,address)",
  witnesses: [CONTROLLER],
  args: Args,
  judge: scene =>
    Either.gen(function* () {
      const { args, account, target, logs } = scene
      const { revnetId, stageId, beneficiary } = args
      const issued = yield* exactlyOne(logs, {
        emitter: target,
        event: "AutoIssue",
        about: { revnetId, stageId, beneficiary, caller: account },
        says: { count: between("1") },
        shows: ["revnetId", "stageId", "beneficiary", "count"]
      })
      return [issued, ...(yield* minted(scene, issued.count))]
    })
})

export const prepareAutoIssueEffects = planEffects({
  "REVOwner.autoIssueFor(uint256,uint256,address)": autoIssue
})
