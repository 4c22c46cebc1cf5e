/** What a process serves: operations with what they do. */
import type { PlanOperation } from "./DefinePlan.ts"
import type { Operation } from "./Operation.ts"

export type AnyOperation<R> = Operation<R> | PlanOperation<R>

export type OperationNeeds<Each> = Each extends AnyOperation<infer R> ? R : never

export const isPlanOperation = <R>(operation: AnyOperation<R>): operation is PlanOperation<R> =>
  "effects" in operation
