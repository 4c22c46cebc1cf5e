/** What a stage of a revnet promised to a beneficiary, issued. Free: how much of it there was. */

import { Either, Schema } from "effect"
import { CONTROLLER, REVNET_OWNER } from "../../../effects/Contracts.ts"
import { atMostOne, between, exactlyOne, is } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate, sole } from "../../../effects/Predicate.ts"

const autoIssue = predicate({
  name: "auto_issue",
  contractId: REVNET_OWNER,
  signature: "autoIssueFor(uint256,uint256,address)",
  witnesses: [CONTROLLER],
  args: Schema.Struct({ revnetId: Schema.String, stageId: Schema.String, beneficiary: Schema.String }),
  judge: ({ args: { revnetId, stageId, beneficiary }, account, target, logs, published }) =>
    Either.gen(function* () {
      const issued = yield* exactlyOne(logs, {
        emitter: target,
        event: "AutoIssue",
        about: { revnetId, stageId, beneficiary, caller: account },
        says: { count: between("1") },
        shows: ["revnetId", "stageId", "beneficiary", "count"]
      })
      const minted = yield* atMostOne(logs, {
        emitter: yield* sole(published(CONTROLLER), CONTROLLER),
        event: "MintTokens",
        about: { projectId: revnetId, caller: target.address },
        says: {
          beneficiary: is(beneficiary),
          tokenCount: is(issued.count),
          beneficiaryTokenCount: is(issued.count)
        },
        shows: ["beneficiaryTokenCount"]
      })
      return [issued, ...minted]
    })
})

export const prepareAutoIssueEffects = planEffects({
  "REVOwner.autoIssueFor(uint256,uint256,address)": autoIssue
})
