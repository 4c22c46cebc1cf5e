import type { Address } from "../../../values/Scalars.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import type { RulesetConfiguration, TerminalConfiguration } from "../../shared/inputs/Configuration.ts"
import { asArgument } from "../ConfigurationArguments.ts"
import { RULESET_TUPLES } from "../QueueCall.ts"

interface Launching {
  readonly owner: Address
  readonly projectUri: string
  readonly rulesetConfigurations: ReadonlyArray<RulesetConfiguration>
  readonly terminalConfigurations: ReadonlyArray<TerminalConfiguration>
  readonly memo: string
}

export interface LaunchFacts {
  /** In wei, as the projects contract takes it for each project. */
  readonly creationFee: bigint
}

export const launchCalls = (
  { owner, projectUri, rulesetConfigurations, terminalConfigurations, memo }: Launching,
  { creationFee }: LaunchFacts
): ReadonlyArray<PlannedCall> => [
  {
    contract: "JBController",
    function: `launchProjectFor(address,string,${RULESET_TUPLES},(address,(address,uint8,uint32)[])[],string)`,
    args: [owner, projectUri, asArgument(rulesetConfigurations), asArgument(terminalConfigurations), memo],
    value: creationFee,
    label: `Launch a project for ${owner}`
  }
]
