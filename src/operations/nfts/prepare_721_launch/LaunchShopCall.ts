import { LAUNCH_SHOP } from "../../../protocol/ShopFunctions.ts"
import type { Address } from "../../../values/Scalars.ts"
import { asArgument } from "../../configuration/ConfigurationArguments.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import type { prepare721Launch } from "./Declaration.ts"
import type { prepare721LaunchEffects } from "./Effects.ts"

type Launching = Omit<typeof prepare721Launch.input.Type, "chainId" | "account">

export interface ShopLaunchFacts {
  /** The one that launches the project's rulesets. */
  readonly controller: Address
  /** In wei, as the projects contract takes it for each project. */
  readonly creationFee: bigint
}

export const launchShopCalls = (
  {
    owner,
    deployTiersHookConfig,
    projectUri,
    rulesetConfigurations,
    terminalConfigurations,
    memo,
    salt
  }: Launching,
  { controller, creationFee }: ShopLaunchFacts
): ReadonlyArray<PlannedCall<typeof prepare721LaunchEffects>> => [
  {
    contract: "JB721TiersHookProjectDeployer",
    function: LAUNCH_SHOP,
    args: [
      owner,
      asArgument(deployTiersHookConfig),
      {
        projectUri,
        rulesetConfigurations: asArgument(rulesetConfigurations),
        terminalConfigurations: asArgument(terminalConfigurations),
        memo
      },
      controller,
      salt
    ],
    value: creationFee,
    label: `Launch a project with a 721 shop for ${owner}`
  }
]
