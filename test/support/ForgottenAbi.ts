import type { Plan } from "../../src/plans/Plan.ts"
import { callOf } from "./PlannedCalls.ts"
import { sqlOn } from "./Sql.ts"

/** As where a deployment took away the ABI that the plan names. */
export const forgetAbi = (databaseUrl: string, plan: Plan) =>
  sqlOn(databaseUrl, "UPDATE plans SET terms = replace(terms::text, $2, $3)::json WHERE id = $1", [
    plan.id,
    callOf(plan).decoded.abiHash,
    "ab".repeat(32)
  ])
