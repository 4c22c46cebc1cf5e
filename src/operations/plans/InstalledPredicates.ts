/** Every predicate that there is: of the calls that operations plan, and of those that none plans. */
import { predicatesOf } from "../../effects/PlanEffects.ts"
import type { Predicate } from "../../effects/Predicate.ts"
import { type AnyOperation, isPlanOperation } from "../framework/Installed.ts"
import { unplannedEffects } from "./UnplannedEffects.ts"

export const installedPredicates = (
  operations: ReadonlyArray<AnyOperation<unknown>>
): ReadonlyArray<Predicate> => {
  const planned = operations.filter(isPlanOperation).flatMap(({ effects }) => predicatesOf(effects))
  return [...new Set([...planned, ...unplannedEffects])]
}
