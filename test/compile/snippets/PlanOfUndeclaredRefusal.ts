import { Effect } from "effect"
import { planEffects } from "../../../src/effects/PlanEffects.ts"
import { definePlan } from "../../../src/operations/framework/DefinePlan.ts"
import { preparePayout } from "../../../src/operations/payments/prepare_payout/Declaration.ts"
import { PlanNotFound } from "../../../src/plans/refusals.ts"

export const run = definePlan(preparePayout, planEffects({}), () => Effect.fail(new PlanNotFound()))
