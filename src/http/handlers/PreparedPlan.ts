/** Prepares an operation as a plan, by whichever route it is asked for. */
import { Effect, Either } from "effect"
import type { PlanOperation } from "../../operations/framework/DefinePlan.ts"
import { OperationNotFound } from "../../operations/framework/refusals.ts"
import { type Created, createPlan } from "../../plans/CreatePlan.ts"
import { reply } from "../Handlers.ts"
import { inputRefusal } from "../Input.ts"

export const replayHeader = (replayed: boolean): Readonly<Record<string, string>> =>
  replayed ? { "idempotent-replayed": "true" } : {}

export const createdPlan = ({ plan, replayed }: Created) =>
  reply(plan, { location: `/api/v1/plans/${plan.id}`, ...replayHeader(replayed) })

export type Preparations<R> = ReturnType<typeof preparing<R>>

/** The input of an operation, read; nothing is asked of a chain until its draft is run. */
export const preparing = <R>(all: ReadonlyArray<PlanOperation<R>>) => {
  const byId = new Map(all.map(operation => [operation.id, operation]))
  return (id: string, input: unknown, within: ReadonlyArray<string> = []) => {
    const operation = byId.get(id)
    return operation === undefined
      ? Either.left(new OperationNotFound({ context: { id: id.slice(0, 100) } }))
      : Either.mapLeft(operation.prepare(input), error => inputRefusal(error, within))
  }
}

export type StoredPreparation<R> = ReturnType<typeof storingPlans<R>>

export const storingPlans = <R>(prepared: Preparations<R>) =>
  Effect.fnUntraced(function* (id: string, input: unknown, within?: ReadonlyArray<string>) {
    const { account, draft } = yield* prepared(id, input, within)
    return createdPlan(yield* createPlan(account, draft))
  })

/** For routes of teams. */
export const preparingPlans = <R>(all: ReadonlyArray<PlanOperation<R>>) => storingPlans(preparing(all))
