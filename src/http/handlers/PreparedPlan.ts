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

export type StoredPreparation<R> = ReturnType<typeof preparing<R>>

export const preparing = <R>(all: ReadonlyArray<PlanOperation<R>>) => {
  const byId = new Map(all.map(operation => [operation.id, operation]))
  return Effect.fnUntraced(function* (id: string, input: unknown, within: ReadonlyArray<string> = []) {
    const operation = byId.get(id)
    if (operation === undefined) return yield* new OperationNotFound({ context: { id: id.slice(0, 100) } })
    const { account, draft } = yield* Either.mapLeft(operation.prepare(input), error =>
      inputRefusal(error, within)
    )
    return createdPlan(yield* createPlan(account, draft))
  })
}
