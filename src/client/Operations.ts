/** The semantic operations, each typed by its declaration. */
import type { Schema } from "effect"
import type { Register } from "../operations/Register.ts"
import type { Caller } from "./Caller.ts"
import { type Endpoint, endpoints } from "./Endpoints.ts"

export type OperationId = keyof Register

/** As JSON: integers of contract width are decimal strings. */
export type OperationInput<Id extends OperationId> = Schema.Schema.Encoded<Register[Id]["input"]>

/** Parts that could not be read are `{status: "unknown", error}`; they never have a default. */
export type OperationOutput<Id extends OperationId> = Schema.Schema.Encoded<Register[Id]["output"]>

export interface OperationOptions {
  /** Needed where both serve the operation; a source that fails is never replaced by the other. */
  readonly source?: "onchain" | "indexer" | undefined
  readonly signal?: AbortSignal | undefined
}

const { method, at, access } = endpoints.readOperation

const endpoint = <Id extends OperationId>(): Endpoint<OperationOutput<Id>> => ({ method, at, access })

const queryOf = (input: unknown, { source }: OperationOptions) => ({ input: JSON.stringify(input), source })

export const operationMethods = (caller: Caller) => ({
  operations: {
    /** Asks an operation that prepares no transaction, such as `run("get_contract", { name: "JBController" })`. */
    run: <Id extends OperationId>(id: Id, input: OperationInput<Id>, options: OperationOptions = {}) =>
      caller.call(endpoint<Id>(), { path: { id }, query: queryOf(input, options), signal: options.signal }),
    /** As `run`, for an id and an input that are known only at run time. */
    ask: (id: string, input: unknown, options: OperationOptions = {}) =>
      caller.call(endpoints.readOperation, {
        path: { id },
        query: queryOf(input, options),
        signal: options.signal
      })
  }
})
