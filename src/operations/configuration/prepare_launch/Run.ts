/** A plan of one call that launches a project of core contracts alone. */

import { Effect } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { DeploymentUnavailable } from "../../../protocol/refusals.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { type Observed, observed } from "../../../values/Observed.ts"
import { Uint256 } from "../../../values/Scalars.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import { configurationWarnings } from "../ChangeWarnings.ts"
import { launchedRulesetWarnings } from "../LaunchedRulesets.ts"
import { prepareLaunch } from "./Declaration.ts"
import { prepareLaunchEffects } from "./Effects.ts"
import { type LaunchFacts, launchCalls } from "./LaunchCall.ts"

type Input = typeof prepareLaunch.input.Type

const GENERAL = [
  "The project's id is not known before the launch is mined: whoever launches first gets the next one.",
  "From then on only the owner, and whom the owner permits, controls the project; make sure that the owner can sign.",
  "A launch makes a project on this chain alone; a launch on another chain makes a project of its own.",
  "Weights, splits and limits of a launched ruleset do not change while it lasts; a ruleset that is queued later can.",
  "The creation fee can change before the launch is mined; the call then reverts."
]

/** What a terminal that nobody recorded does with payments is its own. */
const terminalWarnings = (
  { owner, account, terminalConfigurations }: Input,
  snapshot: PinnedSnapshot
): ReadonlyArray<string> => {
  const recorded = (["JBMultiTerminal", "JBRouterTerminalRegistry"] as const).flatMap(name =>
    snapshot.deploymentsOf(name).map(({ address }) => address)
  )
  const foreign = terminalConfigurations
    .map(({ terminal }) => terminal)
    .filter(terminal => !recorded.includes(terminal))
  return [
    ...(terminalConfigurations.length === 0
      ? ["Without a terminal nobody can pay the project until one is added."]
      : []),
    ...(foreign.length === 0
      ? []
      : [`The service does not know these terminals and says nothing about them: ${foreign.join(", ")}.`]),
    ...(owner === account ? [] : ["The planned wallet pays for the launch and does not own the project."])
  ]
}

interface Facts extends LaunchFacts {
  readonly count: Observed<string>
}

const told = (input: Input, snapshot: PinnedSnapshot, facts: Facts) => {
  const { chainId, owner, composition, projectUri, rulesetConfigurations, terminalConfigurations } = input
  return {
    summary: {
      chainId,
      owner,
      composition,
      projectUri,
      rulesetCount: rulesetConfigurations.length,
      terminalCount: terminalConfigurations.length,
      creationFeeWei: String(facts.creationFee),
      projectId: null,
      projectIdResolution:
        "From the receipt: the LaunchProject event of JBController and the Create event of JBProjects name the same id."
    },
    warnings: [
      ...GENERAL,
      ...terminalWarnings(input, snapshot),
      ...configurationWarnings(rulesetConfigurations),
      ...launchedRulesetWarnings(rulesetConfigurations, snapshot, facts.count)
    ]
  }
}

/** One round trip. */
const readFacts = Effect.fn("Rulesets.launchFacts")(function* (snapshot: PinnedSnapshot) {
  const controller = yield* snapshot.addressOf("JBController")
  const answers = yield* eachAtOnce({
    code: snapshot.code(controller),
    fee: snapshot.read("JBProjects", "creationFee", [], Uint256),
    count: observed(snapshot.read("JBProjects", "count", [], Uint256))
  })
  if ((yield* answers.code) === "0x")
    return yield* new DeploymentUnavailable({
      context: { contract: "JBController", chainId: snapshot.chainId }
    })
  const facts: Facts = { creationFee: BigInt(yield* answers.fee), count: yield* answers.count }
  return facts
})

export const runPrepareLaunch = definePlan(prepareLaunch, prepareLaunchEffects, (input, snapshot) =>
  Effect.map(readFacts(snapshot), facts => ({
    calls: launchCalls(input, facts),
    told: Effect.succeed(told(input, snapshot, facts))
  }))
)
