/** Every operation as it is declared, by its id. */
import { type OperationId, operationIds, type PlanId, planIds } from "../generated/OperationIds.ts"
import { planRegister } from "../generated/PlanRegister.ts"
import { register } from "../generated/Register.ts"
import type { AnyDeclared } from "./Operation.ts"
import type { AnyDeclaredPlan } from "./PlanOperation.ts"
import { isSource, type Source } from "./Sources.ts"

export const declarations: { readonly [Id in OperationId]: AnyDeclared | AnyDeclaredPlan } = {
  ...register,
  ...planRegister
}

const known: ReadonlySet<string> = new Set(operationIds)
const planned: ReadonlySet<string> = new Set(planIds)

export const isOperationId = (id: string): id is OperationId => known.has(id)

/** Whether it is prepared as a plan; any other is answered at once. */
export const isPlanId = (id: OperationId): id is PlanId => planned.has(id)

/** Those that a request may name. */
export const selectableSources = (id: OperationId): ReadonlyArray<Source> =>
  declarations[id].sources.filter(isSource)
