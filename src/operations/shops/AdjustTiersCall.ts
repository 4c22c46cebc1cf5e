import { ADJUST_TIERS } from "../../protocol/ShopFunctions.ts"
import type { Address } from "../../values/Scalars.ts"
import type { TierConfiguration } from "../inputs/Configuration.ts"
import type { PlannedCall } from "../plans/PlanCalls.ts"
import { asArgument } from "../rulesets/ConfigurationArguments.ts"

interface Adjusting {
  readonly project: { readonly projectId: string }
  readonly tiersToAdd: ReadonlyArray<TierConfiguration>
  readonly tierIdsToRemove: ReadonlyArray<number>
}

export const adjustTiersCalls = (
  { project, tiersToAdd, tierIdsToRemove }: Adjusting,
  { hook }: { readonly hook: Address }
): ReadonlyArray<PlannedCall> => [
  {
    contract: "JB721TiersHook",
    address: hook,
    function: ADJUST_TIERS,
    args: [asArgument(tiersToAdd), asArgument(tierIdsToRemove)],
    label: `Add ${tiersToAdd.length} and remove ${tierIdsToRemove.length} tiers of project ${project.projectId}`
  }
]
