import { Effect, Either } from "effect"
import { chooseSource } from "../../operations/framework/ChooseSource.ts"
import { type AnyOperation, isPlanOperation } from "../../operations/framework/Installed.ts"
import type { Operation } from "../../operations/framework/Operation.ts"
import { OperationNotFound } from "../../operations/framework/refusals.ts"
import { parseStrictJson } from "../../values/StrictJson.ts"
import { operationsGroup } from "../api/Operations.ts"
import { handling, reply } from "../Handlers.ts"
import { inputRefusal } from "../Input.ts"
import type { StoredPreparation } from "./PreparedPlan.ts"

interface Asked {
  readonly input?: string | undefined
  readonly source?: string | undefined
}

const answering = <R>(all: ReadonlyArray<AnyOperation<R>>) => {
  const reads = all.filter((operation): operation is Operation<R> => !isPlanOperation(operation))
  const byId = new Map(reads.map(operation => [operation.id, operation]))
  return Effect.fnUntraced(function* (id: string, { input, source }: Asked) {
    const operation = byId.get(id)
    if (operation === undefined) return yield* new OperationNotFound({ context: { id: id.slice(0, 100) } })
    const chosen = yield* chooseSource(operation.declaration, source)
    const json = input === undefined ? {} : yield* parseStrictJson(input)
    const answer = yield* Either.mapLeft(operation.prepare(json), inputRefusal)
    return reply(yield* answer(chosen))
  })
}

export const operationsHandlers = <R>(
  all: ReadonlyArray<AnyOperation<R>>,
  preparedPlan: StoredPreparation<R>
) => {
  const answer = answering(all)
  return handling(operationsGroup, {
    readOperation: ({ path, query }) => answer(path.id, query),
    prepareOperation: ({ path, body }) => preparedPlan(path.id, body)
  })
}
