import { Effect, Either } from "effect"
import { chooseSource } from "../../operations/framework/ChooseSource.ts"
import type { Operation } from "../../operations/framework/Operation.ts"
import { OperationNotFound } from "../../operations/framework/refusals.ts"
import { runs } from "../../operations/generated/Runs.ts"
import { parseStrictJson } from "../../values/StrictJson.ts"
import * as Operations from "../api/Operations.ts"
import { planRoutes, prepareOperation } from "../api/PlanOperations.ts"
import { inputRefusal } from "../Input.ts"
import { onSigned, reply } from "../Route.ts"
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

export const operationRoutes = [
  onSigned(Operations.readOperation, ({ path, query }) => answer(path.id, query)),
  ...Operations.operationRoutes.map(({ id, route }) => onSigned(route, ({ query }) => answer(id, query))),
  onSigned(prepareOperation, ({ path, body }) => preparedPlan(path.id, body)),
  ...planRoutes.map(({ id, route }) => onSigned(route, ({ body }) => preparedPlan(id, body)))
]
