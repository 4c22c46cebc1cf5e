import { DEPLOY_REVNET, DEPLOY_REVNET_WITH_SHOP } from "../../../protocol/RevnetFunctions.ts"
import { asArgument } from "../../configuration/ConfigurationArguments.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import type { prepareRevnetDeploy } from "./Declaration.ts"
import type { prepareRevnetDeployEffects } from "./Effects.ts"

export type DeployInput = typeof prepareRevnetDeploy.input.Type

export interface DeployFacts {
  /** In wei, as the projects contract takes it for each project. */
  readonly creationFee: bigint
}

/** Not a project that exists. */
const NEW_REVNET = "0"

export const deployCalls = (
  { config, accountingContexts, suckerConfig, tiered721Config, allowedPosts }: DeployInput,
  { creationFee }: DeployFacts
): ReadonlyArray<PlannedCall<typeof prepareRevnetDeployEffects>> => {
  const args = [NEW_REVNET, asArgument(config), asArgument(accountingContexts), asArgument(suckerConfig)]
  const shared = {
    contract: "REVDeployer" as const,
    value: creationFee,
    label: `Deploy the revnet ${config.description.ticker}`
  }
  if (tiered721Config === undefined) return [{ ...shared, function: DEPLOY_REVNET, args }]
  const { baseline, ...rest } = tiered721Config
  const shop = asArgument({ baseline721HookConfiguration: baseline, ...rest })
  return [{ ...shared, function: DEPLOY_REVNET_WITH_SHOP, args: [...args, shop, asArgument(allowedPosts)] }]
}
