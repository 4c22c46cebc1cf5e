/** A list of rows, page after page without losing any, also where the order's column has no value. */
import { Effect, Either } from "effect"
import { CursorSigner, type CursorSigning } from "../settings/CursorSigner.ts"
import { reviewKeys, Settings } from "../settings/Settings.ts"
import { type AnsweringSource, answerFrame } from "./Answering.ts"
import { type CursorBinding, decodeCursor, encodeCursor, LONGEST_CURSOR } from "./Cursor.ts"
import { degradedIn } from "./Degrading.ts"
import { type Entity, entityOf } from "./Entities.ts"
import { filtersFor } from "./Filters.ts"
import { type FoundPage, findPage, firstPosition, nothing, type WalkPlace } from "./FindPage.ts"
import { type Given, notGiven } from "./Given.ts"
import type { RowsQuery } from "./Indexer.ts"
import type { IndexerPage } from "./IndexerSchemas.ts"
import { LACKING_REASON, type Lacking } from "./Lacking.ts"
import { LIMITS, MAX_INT32 } from "./Limits.ts"
import type { Chains } from "./Networks.ts"
import { orderOf } from "./Order.ts"
import type { Walk } from "./Pages.ts"
import { InvalidIndexerInput, UnsupportedEntity } from "./refusals.ts"
import { type IndexScope, isHeld, scopeConditions, scopeOf } from "./Scope.ts"
import { selectionOf } from "./Selection.ts"
import { type Ask, bounded } from "./Source.ts"
import type { Sources } from "./Sources.ts"

const limitOf = (limit: number = LIMITS.defaultRows): Either.Either<number, InvalidIndexerInput> =>
  Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.maxRows
    ? Either.right(limit)
    : Either.left(
        new InvalidIndexerInput({ context: { parameter: "limit", expected: `1 to ${LIMITS.maxRows}` } })
      )

export const checkServed = ({ name }: Entity, lacking: Lacking): Either.Either<void, UnsupportedEntity> =>
  lacking.entities.has(name)
    ? Either.left(new UnsupportedEntity({ detail: LACKING_REASON, context: { entity: name } }))
    : Either.void

const walkOf = (entity: Entity, scope: IndexScope, query: RowsQuery, lacking: Lacking, ask: Ask) =>
  Either.gen(function* () {
    yield* checkServed(entity, lacking)
    const selection = yield* selectionOf(entity, query.fields, lacking)
    const filters = query.filters === undefined ? {} : yield* filtersFor(entity, query.filters, lacking)
    const order = yield* orderOf(entity, query.orderBy, lacking)
    const asked = Object.keys(filters).length === 0 ? [] : [filters]
    const walk: Walk = {
      ask,
      selection,
      conditions: [...scopeConditions(entity, scope), ...asked],
      order,
      expected: scope
    }
    return walk
  })

const bindingOf = (entity: Entity, query: RowsQuery, { order }: Walk): CursorBinding => ({
  network: query.network,
  entity: entity.name,
  chainId: query.chainId,
  projectId: query.projectId,
  fields: query.fields,
  filters: query.filters,
  ...query.bound,
  orderBy: order && [order.field, order.direction]
})

/** In the order of their keys rows do not move, so that the last ones are enough to know where the walk was. */
const GIVEN_BY_KEY = LIMITS.maxRows
/** Of a request target, besides the cursor and what the query repeats. */
const ROOM_IN_TARGET = 3_500

const longestFor = ({ fields, filters, orderBy, longestCursor = LONGEST_CURSOR }: RowsQuery): number =>
  Math.min(
    longestCursor,
    LONGEST_CURSOR,
    ROOM_IN_TARGET - encodeURIComponent(JSON.stringify([fields, filters, orderBy])).length
  )

interface Keys {
  /** Of the marks by which rows are known again. */
  readonly secrets: readonly [string, ...ReadonlyArray<string>]
  readonly signer: CursorSigning
}

/** The page with the rows that the walk has not given yet, and its cursors. */
const pageAnswer = (
  { secrets, signer }: Keys,
  entity: Entity,
  query: RowsQuery,
  walk: Walk,
  before: Given,
  found: FoundPage
) =>
  Either.gen(function* () {
    const { page, start, end, hasNext, hasPrevious } = found
    const binding = bindingOf(entity, query, walk)
    const longest = longestFor(query)
    const token = (place: WalkPlace | undefined, known: Given) => {
      if (place === undefined) return Either.right(null)
      const given = walk.order === undefined ? known.slice(-GIVEN_BY_KEY) : known
      return encodeCursor(signer, binding, { ...place, given }, longest)
    }
    const { items, given } = notGiven(secrets, entity, page.items, before)
    const first = notGiven(secrets, entity, page.items.slice(0, 1), before)
    const endCursor = hasNext ? yield* token(end, given) : Either.getOrElse(token(end, given), () => null)
    return {
      items: items.map(({ row }) => row),
      totalCount: page.count + page.rest,
      pageInfo: {
        hasNextPage: hasNext,
        hasPreviousPage: hasPrevious,
        startCursor: Either.getOrElse(token(start, first.given), () => null),
        endCursor
      },
      nextCursor: hasNext ? endCursor : null,
      ...degradedIn(entity, items)
    }
  })

export const makeList = Effect.fnUntraced(function* (
  sources: Sources,
  chains: Chains,
  answering: AnsweringSource
) {
  const keys: Keys = { secrets: reviewKeys(yield* Settings), signer: yield* CursorSigner }
  return Effect.fn("Indexer.list")(function* (name: string, query: RowsQuery) {
    const entity = yield* entityOf(name)
    const scope = yield* scopeOf(entity, chains, query, query.greatestProject ?? MAX_INT32)
    const limit = yield* limitOf(query.limit)
    const { ask, lacking } = yield* sources.of(query.network)
    const walk = yield* walkOf(entity, scope, query, yield* lacking, ask)
    const position =
      query.cursor === undefined
        ? firstPosition(walk)
        : yield* decodeCursor(keys.signer, bindingOf(entity, query, walk), query.cursor)
    const found = yield* isHeld(scope) ? findPage(walk, position, limit) : nothing
    const answer: IndexerPage = {
      entity: name,
      ...answerFrame(answering, query.network, found.page.observedAt),
      ...(yield* pageAnswer(keys, entity, query, walk, position.given, found))
    }
    return yield* bounded(answer)
  })
})
