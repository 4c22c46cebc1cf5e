/** What a family of operations is: what a developer wants to do, with the bounds that hold for it. */
import type { OperationId } from "../generated/OperationIds.ts"

export interface Family {
  readonly title: string
  readonly references: ReadonlyArray<string>
  readonly limits: ReadonlyArray<string>
}

export interface ListedFamily extends Family {
  readonly id: string
  readonly operations: ReadonlyArray<OperationId>
}

export const DESCRIPTIONS = "/api/v1/catalog/operations"
