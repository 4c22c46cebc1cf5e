import { Effect, Either } from "effect"
import { chooseSource } from "../../operations/framework/ChooseSource.ts"
import type { Operation } from "../../operations/framework/Operation.ts"
import { OperationNotFound } from "../../operations/framework/refusals.ts"
import { runs } from "../../operations/generated/Runs.ts"
import { parseStrictJson } from "../../values/StrictJson.ts"
import { OperationsGroup } from "../api/Operations.ts"
import { handling, reply } from "../Handlers.ts"
import { inputRefusal } from "../Input.ts"
import { preparedPlan } from "./PreparedPlan.ts"

type NeedsOf<Each> = Each extends Operation<infer R> ? R : never
type Needs = NeedsOf<(typeof runs)[keyof typeof runs]>

const byId: ReadonlyMap<string, Operation<Needs>> = new Map(Object.entries(runs))

interface Asked {
  readonly input?: string | undefined
  readonly source?: string | undefined
}

const answer = Effect.fnUntraced(function* (id: string, { input, source }: Asked) {
  const operation = byId.get(id)
  if (operation === undefined) return yield* new OperationNotFound({ context: { id: id.slice(0, 100) } })
  const chosen = yield* chooseSource(operation.id, source)
  const json = input === undefined ? {} : yield* parseStrictJson(input)
  const answering = yield* Either.mapLeft(operation.prepare(json), inputRefusal)
  return reply(yield* answering(chosen))
})

export const operations = handling(OperationsGroup, {
  readOperation: ({ path, query }) => answer(path.id, query),
  prepareOperation: ({ path, body }) => preparedPlan(path.id, body)
})
