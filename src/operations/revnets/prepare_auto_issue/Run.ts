import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { wasQueued } from "../../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { Uint256 } from "../../../values/Scalars.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import { NothingToAutoIssue, StageNotStarted } from "../refusals.ts"
import { verifyStartedOrNot } from "../VerifyRevnet.ts"
import { prepareAutoIssue } from "./Declaration.ts"
import { prepareAutoIssueEffects } from "./Effects.ts"

type Input = typeof prepareAutoIssue.input.Type

const WARNINGS = [
  "Anyone can make this issuance: where somebody else does so first, the call reverts.",
  "The tokens go to the beneficiary whoever sends the call; nothing of them is reserved."
]

export const autoIssueCalls = ({
  project,
  stageId,
  beneficiary
}: Input): ReadonlyArray<PlannedCall<typeof prepareAutoIssueEffects>> => [
  {
    contract: "REVOwner",
    function: "autoIssueFor(uint256,uint256,address)",
    args: [project.projectId, stageId, beneficiary],
    label: `Issue what stage ${stageId} of revnet ${project.projectId} promised to ${beneficiary}`
  }
]

const Ruleset = Schema.Struct({ ruleset: Schema.Struct({ id: Uint256, start: Uint256 }) })

/** One round trip. */
const readPromise = Effect.fn("Revnets.promise")(function* (
  snapshot: PinnedSnapshot,
  { project: { projectId }, stageId, beneficiary }: Input
) {
  const answers = yield* eachAtOnce({
    revnet: verifyStartedOrNot(snapshot, projectId),
    count: snapshot.read("REVOwner", "amountToAutoIssue", [projectId, stageId, beneficiary], Uint256),
    stage: snapshot.read("JBController", "getRulesetOf", [projectId, stageId], Ruleset)
  })
  const { current } = yield* answers.revnet
  const count = yield* answers.count
  if (count === "0") return yield* new NothingToAutoIssue({ context: { projectId, stageId, beneficiary } })
  const { id, start } = (yield* answers.stage).ruleset
  if (!wasQueued(current) || id !== stageId || BigInt(start) > snapshot.block.timestamp)
    return yield* new StageNotStarted({ context: { stageId, start, now: String(snapshot.block.timestamp) } })
  return { count, stageStart: start }
})

export const runPrepareAutoIssue = definePlan(
  prepareAutoIssue,
  prepareAutoIssueEffects,
  Effect.fnUntraced(function* (input, snapshot) {
    const { stageId, beneficiary } = input
    const promised = yield* readPromise(snapshot, input)
    return {
      calls: autoIssueCalls(input),
      told: Effect.succeed({ summary: { stageId, beneficiary, ...promised }, warnings: WARNINGS })
    }
  })
)
