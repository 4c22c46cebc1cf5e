/** A launched project: the one that JBProjects created for the owner is the one that the controller says was launched. */

import { Either, Schema } from "effect"
import { CONTROLLER, PROJECTS } from "../../../effects/Contracts.ts"
import { exactlyOne, is } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate, sole } from "../../../effects/Predicate.ts"
import { LAUNCH_PROJECT } from "../../../protocol/RulesetFunctions.ts"

const launchProject = predicate({
  name: "launch_project",
  contractId: CONTROLLER,
  signature: LAUNCH_PROJECT,
  witnesses: [PROJECTS],
  args: Schema.Struct({ owner: Schema.String, projectUri: Schema.String, memo: Schema.String }),
  judge: ({ args, account, target, logs, published }) =>
    Either.gen(function* () {
      const created = yield* exactlyOne(logs, {
        emitter: yield* sole(published(PROJECTS), PROJECTS),
        event: "Create",
        about: { owner: args.owner, caller: target.address },
        says: {},
        shows: ["projectId", "owner"]
      })
      const launched = yield* exactlyOne(logs, {
        emitter: target,
        event: "LaunchProject",
        about: { projectId: created.projectId, caller: account },
        says: { projectUri: is(args.projectUri), memo: is(args.memo) },
        shows: ["projectId", "rulesetId"]
      })
      return [created, launched]
    })
})

const LAUNCH = `JBController.${LAUNCH_PROJECT}` as const

export const prepareLaunchEffects = planEffects({
  [LAUNCH]: launchProject
})
