/** Proof that a plan's row is locked by the running transaction, with the plan as it is under the lock. */
import { Context } from "effect"
import type { StoredPlan } from "./PlanRow.ts"

export class LockedPlan extends Context.Tag("plans/LockedPlan")<
  LockedPlan,
  { readonly plan: StoredPlan }
>() {}
