/** The semantic operations, each typed by its declaration. */
import type { PlanBasis } from "../operations/framework/PlanSummary.ts"
import type { PlanRegister } from "../operations/generated/PlanRegister.ts"
import type { Register } from "../operations/generated/Register.ts"
import type { Plan } from "../plans/Plan.ts"
import type { Caller, Keyed } from "./Caller.ts"
import { checkedPlan, type PlanOwnership } from "./Commitment.ts"
import { answering, type ClientEndpoint, endpoints } from "./Endpoints.ts"
import type { System } from "./System.ts"

/** A schema, by what it is in JSON. */
export interface InJson {
  readonly Encoded: unknown
}

export interface ReadShape {
  readonly id: string
  readonly input: InJson
  readonly output: InJson
}

export interface PlanShape {
  readonly id: string
  readonly input: InJson
  readonly summary: InJson
}

/** An operation that a team added to the service, by its type alone. */
export interface AddedOperation {
  readonly declaration: ReadShape | PlanShape
}

type AddedPlans<Added extends AddedOperation> = Extract<Added["declaration"], PlanShape>
type AddedReads<Added extends AddedOperation> = Exclude<Added["declaration"], PlanShape>

export type ReadOperationId<Added extends AddedOperation = never> = keyof Register | AddedReads<Added>["id"]

type ReadOf<Id, Added extends AddedOperation> = Id extends keyof Register
  ? Register[Id]
  : Extract<AddedReads<Added>, { readonly id: Id }>

/** As JSON: integers of contract width are decimal strings. */
export type OperationInput<Id extends ReadOperationId<Added>, Added extends AddedOperation = never> = ReadOf<
  Id,
  Added
>["input"]["Encoded"]

/** Parts that could not be read are `{status: "unknown", error}`; they never have a default. */
export type OperationOutput<Id extends ReadOperationId<Added>, Added extends AddedOperation = never> = ReadOf<
  Id,
  Added
>["output"]["Encoded"]

export interface OperationOptions {
  /** Needed where both serve the operation; a source that fails is never replaced by the other. */
  readonly source?: "onchain" | "indexer" | undefined
  readonly signal?: AbortSignal | undefined
}

export type PlanOperationId<Added extends AddedOperation = never> =
  | keyof PlanRegister
  | AddedPlans<Added>["id"]

type PlannedOf<Id, Added extends AddedOperation> = Id extends keyof PlanRegister
  ? PlanRegister[Id]
  : Extract<AddedPlans<Added>, { readonly id: Id }>

/** As JSON: integers of contract width are decimal strings; `account` is the wallet that signs. */
export type PlanOperationInput<
  Id extends PlanOperationId<Added>,
  Added extends AddedOperation = never
> = PlannedOf<Id, Added>["input"]["Encoded"]

/** What the plan rests on, and what the wallet has of it; information, never an approval. */
export type PlanSummary<Id extends PlanOperationId<Added>, Added extends AddedOperation = never> = PlannedOf<
  Id,
  Added
>["summary"]["Encoded"] &
  typeof PlanBasis.Encoded

export type PreparedPlan<Id extends PlanOperationId<Added>, Added extends AddedOperation = never> = Plan & {
  readonly summary: PlanSummary<Id, Added>
}

const queryOf = (input: unknown, { source }: OperationOptions) => ({ input: JSON.stringify(input), source })

const preparing = <Added extends AddedOperation>(caller: Caller, system: System, own: PlanOwnership) => {
  const prepared = async <Prepared extends Plan>(
    endpointOf: ClientEndpoint<Prepared>,
    id: string,
    input: unknown,
    options: Keyed
  ) => {
    const { body, told } = await caller.keyed(endpointOf, system, options, { path: { id }, body: input })
    return { plan: await checkedPlan(body, own), ...told }
  }
  return {
    /**
     * Prepares an operation as a plan, such as `prepare("prepare_payout", { project, account, token, amount, currency })`,
     * and checks what it commits to: rejects with `AlteredPlan` where that differs. Nothing is signed or sent; the same
     * key with the same input gives the stored plan again (`replayed`).
     */
    prepare: <Id extends PlanOperationId<Added>>(
      id: Id,
      input: PlanOperationInput<Id, Added>,
      options: Keyed = {}
    ) => prepared(answering<PreparedPlan<Id, Added>>(endpoints.prepareOperation), id, input, options),
    /** As `prepare`, for an id and an input that are known only at run time. */
    askPlan: (id: string, input: unknown, options: Keyed = {}) =>
      prepared(endpoints.prepareOperation, id, input, options)
  }
}

export const operationMethods = <Added extends AddedOperation>(
  caller: Caller,
  system: System,
  own: PlanOwnership
) => ({
  operations: {
    ...preparing<Added>(caller, system, own),
    /** Asks an operation that prepares no transaction, such as `run("get_contract", { name: "JBController" })`. */
    run: <Id extends ReadOperationId<Added>>(
      id: Id,
      input: OperationInput<Id, Added>,
      options: OperationOptions = {}
    ) =>
      caller.call(answering<OperationOutput<Id, Added>>(endpoints.readOperation), {
        path: { id },
        query: queryOf(input, options),
        signal: options.signal
      }),
    /** As `run`, for an id and an input that are known only at run time. */
    ask: (id: string, input: unknown, options: OperationOptions = {}) =>
      caller.call(endpoints.readOperation, {
        path: { id },
        query: queryOf(input, options),
        signal: options.signal
      })
  }
})
