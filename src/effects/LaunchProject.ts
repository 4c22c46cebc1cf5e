/** A launched project: the one that JBProjects created for the owner is the one that the controller says was launched. */
import { Either, Schema } from "effect"
import { CONTROLLER, PROJECTS } from "./Contracts.ts"
import { exactlyOne, is } from "./Judgement.ts"
import { predicate, sole } from "./Predicate.ts"

export const launchProject = predicate({
  name: "launch_project",
  contractId: CONTROLLER,
  signature:
    "launchProjectFor(address,string,(uint48,uint32,uint112,uint32,address,(uint16,uint16,uint32,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address,uint16),(uint256,(uint32,uint64,address,bool,uint48,address)[])[],(address,address,(uint224,uint32)[],(uint224,uint32)[])[])[],(address,(address,uint8,uint32)[])[],string)",
  witnesses: [PROJECTS],
  args: Schema.Struct({ owner: Schema.String, projectUri: Schema.String, memo: Schema.String }),
  judge: ({ args, account, target, logs, published }) =>
    Either.gen(function* () {
      const created = yield* exactlyOne(logs, {
        emitter: yield* sole(published(PROJECTS), PROJECTS),
        event: "Create",
        about: { caller: target.address },
        says: { owner: is(args.owner) },
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
