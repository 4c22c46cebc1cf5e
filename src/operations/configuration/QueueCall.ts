import { QUEUE_RULESETS } from "../../protocol/RulesetFunctions.ts"
import type { PlannedCall } from "../framework/PlanCalls.ts"
import type { RulesetConfiguration } from "../shared/inputs/Configuration.ts"
import { asArgument } from "./ConfigurationArguments.ts"
import type { prepareRulesetChangeEffects } from "./prepare_ruleset_change/Effects.ts"

interface Queueing {
  readonly project: { readonly projectId: string }
  readonly rulesetConfigurations: ReadonlyArray<RulesetConfiguration>
  readonly memo: string
}

export const queueCalls = ({
  project: { projectId },
  rulesetConfigurations,
  memo
}: Queueing): ReadonlyArray<PlannedCall<typeof prepareRulesetChangeEffects>> => [
  {
    contract: "JBController",
    function: QUEUE_RULESETS,
    args: [projectId, asArgument(rulesetConfigurations), memo],
    label: `Queue ${rulesetConfigurations.length === 1 ? "a ruleset" : `${rulesetConfigurations.length} rulesets`} for project ${projectId}`
  }
]
