/** One record by its key: of version 6 and of the scope, or none. */
import { Clock, Effect, Either } from "effect"
import { MAX_SAFE } from "../values/Scalars.ts"
import { type AnsweringSource, answerFrame } from "./Answering.ts"
import { degradedIn, narrowed } from "./Degrading.ts"
import { recordQuestion } from "./Document.ts"
import { type Entity, entityOf } from "./Entities.ts"
import type { RecordQuery } from "./Indexer.ts"
import type { IndexerRecord, Json } from "./IndexerSchemas.ts"
import { entityKey, type Key } from "./Keys.ts"
import { isInt32 } from "./Limits.ts"
import type { Chains } from "./Networks.ts"
import { readPage } from "./Pages.ts"
import { checkServed } from "./ReadList.ts"
import { partIn } from "./RowKeys.ts"
import { type CheckedRow, checkedRow } from "./Rows.ts"
import { IdentityMismatch, InvalidResponse } from "./refusals.ts"
import { type IndexScope, isHeld, scopeConditions, scopeOf } from "./Scope.ts"
import { type Selection, selectionOf } from "./Selection.ts"
import { type Ask, bounded } from "./Source.ts"
import type { Sources } from "./Sources.ts"

interface Wanted {
  readonly ask: Ask
  readonly selection: Selection
  readonly scope: IndexScope
  readonly key: Key
}

interface Found {
  readonly item: CheckedRow | null
  readonly observedAt: number
}

/** The source keeps integers in 32 bits, so nothing beyond them has a row. */
const isPossible = (entity: Entity, key: Key, scope: IndexScope): boolean =>
  isHeld(scope) &&
  Object.entries(key).every(
    ([name, value]) => entity.columns.get(name)?.base !== "Int" || isInt32(Number(value))
  )

/** Its key names the version and all of the scope, so the record's own root cannot lead elsewhere. */
const isWhole = ({ key }: Entity, { chainId, projectId }: IndexScope): boolean =>
  key.includes("version") &&
  (chainId === undefined || key.includes("chainId")) &&
  (projectId === undefined || key.includes("projectId"))

const byKey = Effect.fnUntraced(function* ({ ask, selection, scope, key }: Wanted) {
  const { data, observedAt } = yield* ask(recordQuestion(selection, key))
  const row: unknown = Reflect.get(data, "row")
  if (row === undefined) return yield* new InvalidResponse()
  const found: Found = { item: row === null ? null : yield* checkedRow(selection, row, scope), observedAt }
  return found
})

const byList = Effect.fnUntraced(function* ({ ask, selection, scope, key }: Wanted) {
  const { entity } = selection
  const own = Object.entries(key)
    .filter(([name]) => name !== "version")
    .map(([name, value]) => ({ [entity.columns.get(name)?.source ?? name]: value }))
  const conditions = [...scopeConditions(entity, scope), ...own]
  const walk = { ask, selection, conditions, order: undefined, expected: scope }
  const { items, observedAt } = yield* readPage(walk, "only", undefined, 1)
  const found: Found = { item: items[0] ?? null, observedAt }
  return found
})

const isSame = (wanted: string | number, found: Json | undefined): boolean =>
  typeof found === "string"
    ? found === String(wanted) || (/^0x/.test(found) && found.toLowerCase() === wanted)
    : found === wanted

const checkIdentity = (entity: Entity, key: Key, { item }: Found): Either.Either<void, IdentityMismatch> => {
  if (item === null) return Either.void
  const wrong = Object.entries(key).find(([name, value]) => !isSame(value, partIn(item.row, entity, name)))
  return wrong === undefined
    ? Either.void
    : Either.left(new IdentityMismatch({ context: { entity: entity.name, member: wrong[0] } }))
}

const find = (wanted: Wanted) => {
  const { entity } = wanted.selection
  if (!isPossible(entity, wanted.key, wanted.scope))
    return Effect.map(Clock.currentTimeMillis, (observedAt): Found => ({ item: null, observedAt }))
  const read = isWhole(entity, wanted.scope) ? byKey : byList
  return Effect.catchTag(read(wanted), "INDEXER_RESPONSE_TOO_LARGE", () => {
    const { selection, faults } = narrowed(wanted.selection)
    return Effect.map(
      read({ ...wanted, selection }),
      ({ item, observedAt }): Found => ({
        item: item && { row: item.row, faults: [...faults, ...item.faults] },
        observedAt
      })
    )
  })
}

export const makeRecord = (sources: Sources, chains: Chains, answering: AnsweringSource) =>
  Effect.fn("Indexer.record")(function* (name: string, query: RecordQuery) {
    const entity = yield* entityOf(name)
    const scope = yield* scopeOf(entity, chains, query, MAX_SAFE)
    const { ask, lacking } = yield* sources.of(query.network)
    const lacks = yield* lacking
    yield* checkServed(entity, lacks)
    const selection = yield* selectionOf(entity, query.fields, lacks)
    const key = yield* entityKey(entity, query.id, scope)
    const found = yield* find({ ask, selection, scope, key })
    yield* checkIdentity(entity, key, found)
    const answer: IndexerRecord = {
      entity: name,
      ...answerFrame(answering, query.network, found.observedAt),
      item: found.item?.row ?? null,
      ...degradedIn(entity, found.item === null ? [] : [found.item])
    }
    return yield* bounded(answer)
  })
