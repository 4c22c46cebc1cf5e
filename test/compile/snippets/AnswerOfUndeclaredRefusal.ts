import { Effect } from "effect"
import { getReference } from "../../../src/operations/development/get_reference/Declaration.ts"
import { defineOperation } from "../../../src/operations/framework/Operation.ts"
import { PlanNotFound } from "../../../src/plans/refusals.ts"

export const run = defineOperation(getReference, () => Effect.fail(new PlanNotFound()))
