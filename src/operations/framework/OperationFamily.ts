/** What a family of operations is: what a developer wants to do, with the bounds that hold for it. */
import { Context } from "effect"

export interface Family {
  readonly title: string
  readonly references: ReadonlyArray<string>
  readonly limits: ReadonlyArray<string>
}

export interface ListedFamily extends Family {
  readonly id: string
  readonly operations: ReadonlyArray<string>
}

export const DESCRIPTIONS = "/api/v1/catalog/operations"

interface Tool {
  readonly name: string
  readonly description: string
}

export interface ToldFamily extends Family {
  readonly id: string
  readonly tools: ReadonlyArray<Tool>
}

/** Those of the operations that this process has. */
export class OperationFamilies extends Context.Tag("operations/OperationFamilies")<
  OperationFamilies,
  ReadonlyArray<ToldFamily>
>() {}
