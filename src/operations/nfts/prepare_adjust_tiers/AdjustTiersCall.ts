import { ADJUST_TIERS } from "../../../protocol/ShopFunctions.ts"
import type { Address } from "../../../values/Scalars.ts"
import { asArgument } from "../../configuration/ConfigurationArguments.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import type { TierConfiguration } from "../../shared/inputs/Configuration.ts"
import type { prepareAdjustTiersEffects } from "./Effects.ts"

interface Adjusting {
  readonly project: { readonly projectId: string }
  readonly tiersToAdd: ReadonlyArray<TierConfiguration>
  readonly tierIdsToRemove: ReadonlyArray<number>
}

export const adjustTiersCalls = (
  { project, tiersToAdd, tierIdsToRemove }: Adjusting,
  { hook }: { readonly hook: Address }
): ReadonlyArray<PlannedCall<typeof prepareAdjustTiersEffects>> => [
  {
    contract: "JB721TiersHook",
    address: hook,
    function: ADJUST_TIERS,
    args: [asArgument(tiersToAdd), asArgument(tierIdsToRemove)],
    label: `Add ${tiersToAdd.length} and remove ${tierIdsToRemove.length} tiers of project ${project.projectId}`
  }
]
