import { LAUNCH_PROJECT } from "../../../protocol/RulesetFunctions.ts"
import type { Address } from "../../../values/Scalars.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import type { RulesetConfiguration, TerminalConfiguration } from "../../shared/inputs/Configuration.ts"
import { asArgument } from "../ConfigurationArguments.ts"
import type { prepareLaunchEffects } from "./Effects.ts"

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
): ReadonlyArray<PlannedCall<typeof prepareLaunchEffects>> => [
  {
    contract: "JBController",
    function: LAUNCH_PROJECT,
    args: [owner, projectUri, asArgument(rulesetConfigurations), asArgument(terminalConfigurations), memo],
    value: creationFee,
    label: `Launch a project for ${owner}`
  }
]
