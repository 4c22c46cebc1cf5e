/** Every predicate that there is: of the calls that operations plan, and of those that none plans. */
import { predicatesOf } from "../../effects/PlanEffects.ts"
import type { Predicate } from "../../effects/Predicate.ts"
import { planRuns } from "../generated/PlanRuns.ts"
import { unplannedEffects } from "./UnplannedEffects.ts"

const planned = Object.values(planRuns).flatMap(({ effects }) => predicatesOf(effects))

export const predicates: ReadonlyArray<Predicate> = [...new Set([...planned, ...unplannedEffects])]
