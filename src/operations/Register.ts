/**
 * The operations that are answered at once, as they are declared. `declareOperation` stands in a file free of
 * services and gives id, input (from inputs/ReadInputs.ts), output and problems; `defineOperation(declared, run)`
 * stands in another, with its line in Runs.ts. Titles are in framework/Words.ts, kinds in OperationTable.ts.
 */
import type { AnyDeclared } from "./framework/Operation.ts"
import type { ReadId } from "./framework/OperationTable.ts"

export const register = {} as const satisfies { readonly [Id in ReadId]?: AnyDeclared<Id> }

export type RegisteredId = keyof typeof register
