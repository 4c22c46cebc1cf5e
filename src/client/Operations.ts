/** The semantic operations, each typed by its declaration. */
import type { Schema } from "effect"
import type { PlanBasis } from "../operations/framework/PlanSummary.ts"
import type { PlanRegister } from "../operations/generated/PlanRegister.ts"
import type { Register } from "../operations/generated/Register.ts"
import type { Plan } from "../plans/Plan.ts"
import { type Caller, type Keyed, newIdempotencyKey } from "./Caller.ts"
import { checkedPlan, type PlanOwnership } from "./Commitment.ts"
import { type Endpoint, endpoints } from "./Endpoints.ts"
import { wasReplayed } from "./Plans.ts"
import type { System } from "./System.ts"

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

export type PlanOperationId = keyof PlanRegister

/** As JSON: integers of contract width are decimal strings; `account` is the wallet that signs. */
export type PlanOperationInput<Id extends PlanOperationId> = Schema.Schema.Encoded<PlanRegister[Id]["input"]>

/** What the plan rests on, and what the wallet has of it; information, never an approval. */
export type PlanSummary<Id extends PlanOperationId> = Schema.Schema.Encoded<PlanRegister[Id]["summary"]> &
  typeof PlanBasis.Encoded

export type PreparedPlan<Id extends PlanOperationId> = Plan & { readonly summary: PlanSummary<Id> }

const { method, at, access } = endpoints.readOperation

const endpoint = <Id extends OperationId>(): Endpoint<OperationOutput<Id>> => ({ method, at, access })

const queryOf = (input: unknown, { source }: OperationOptions) => ({ input: JSON.stringify(input), source })

const planEndpoint = <Id extends PlanOperationId>(): Endpoint<PreparedPlan<Id>> => {
  const { method: post, at: path, access: keyed } = endpoints.prepareOperation
  return { method: post, at: path, access: keyed }
}

const preparing = (caller: Caller, system: System, own: PlanOwnership) => {
  const prepared = async <Prepared extends Plan>(
    endpointOf: Endpoint<Prepared>,
    id: string,
    input: unknown,
    options: Keyed
  ) => {
    const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey(system)
    const parts = { path: { id }, body: input, idempotencyKey, signal: options.signal }
    const answer = await caller.answer(endpointOf, parts)
    return { plan: await checkedPlan(answer.body, own), idempotencyKey, replayed: wasReplayed(answer) }
  }
  return {
    /**
     * Prepares an operation as a plan, such as `prepare("prepare_payout", { project, account, token, amount, currency })`,
     * and checks what it commits to: rejects with `AlteredPlan` where that differs. Nothing is signed or sent; the same
     * key with the same input gives the stored plan again (`replayed`).
     */
    prepare: <Id extends PlanOperationId>(id: Id, input: PlanOperationInput<Id>, options: Keyed = {}) =>
      prepared(planEndpoint<Id>(), id, input, options),
    /** As `prepare`, for an id and an input that are known only at run time. */
    askPlan: (id: string, input: unknown, options: Keyed = {}) =>
      prepared(endpoints.prepareOperation, id, input, options)
  }
}

export const operationMethods = (caller: Caller, system: System, own: PlanOwnership) => ({
  operations: {
    ...preparing(caller, system, own),
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
