import type { PlannedCall } from "../framework/PlanCalls.ts"
import type { RulesetConfiguration } from "../shared/inputs/Configuration.ts"
import { asArgument } from "./ConfigurationArguments.ts"

/** As contracts that configure rulesets name it in their functions. */
export const RULESET_TUPLES =
  "(uint48,uint32,uint112,uint32,address,(uint16,uint16,uint32,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address,uint16),(uint256,(uint32,uint64,address,bool,uint48,address)[])[],(address,address,(uint224,uint32)[],(uint224,uint32)[])[])[]"

interface Queueing {
  readonly project: { readonly projectId: string }
  readonly rulesetConfigurations: ReadonlyArray<RulesetConfiguration>
  readonly memo: string
}

export const queueCalls = ({
  project: { projectId },
  rulesetConfigurations,
  memo
}: Queueing): ReadonlyArray<PlannedCall> => [
  {
    contract: "JBController",
    function: `queueRulesetsOf(uint256,${RULESET_TUPLES},string)`,
    args: [projectId, asArgument(rulesetConfigurations), memo],
    label: `Queue ${rulesetConfigurations.length === 1 ? "a ruleset" : `${rulesetConfigurations.length} rulesets`} for project ${projectId}`
  }
]
