/** Every operation as it is declared. */
import { type OperationId, operationIds } from "../generated/OperationIds.ts"
import { planRegister } from "../generated/PlanRegister.ts"
import { register } from "../generated/Register.ts"
import type { AnyDeclared, Described } from "./Operation.ts"
import type { AnyDeclaredPlan } from "./PlanOperation.ts"
import { isSource, type Source } from "./Sources.ts"

export type Declaration = AnyDeclared | AnyDeclaredPlan

/** Whether it is prepared as a plan; any other is answered at once. */
export const isPlan = (declaration: Declaration): declaration is AnyDeclaredPlan => "plan" in declaration

/** Those that a request may name. */
export const selectableSources = ({ sources }: Pick<Described, "sources">): ReadonlyArray<Source> =>
  sources.filter(isSource)

/** Of this package, by their ids. */
export const declarations: { readonly [Id in OperationId]: Declaration } = { ...register, ...planRegister }

/** In the order of publication. */
export const ownDeclarations: ReadonlyArray<Declaration> = operationIds.map(id => declarations[id])
