/** A list of rows, page after page without losing any, also where the order's column has no value. */
import { Effect, Either, Redacted } from "effect"
import { Settings } from "../settings/Settings.ts"
import { type Answering, answerFrame } from "./Answering.ts"
import {
  type Binding,
  decodeCursor,
  encodeCursor,
  LONGEST_CURSOR,
  type Phase,
  type Position
} from "./Cursor.ts"
import { type Entity, entityOf } from "./Entities.ts"
import { filtersFor } from "./Filters.ts"
import { type Given, notGiven } from "./Given.ts"
import type { ListQuery } from "./Indexer.ts"
import type { IndexerPage } from "./IndexerSchemas.ts"
import { LACKING_REASON, type Lacking } from "./Lacking.ts"
import { LIMITS } from "./Limits.ts"
import type { Chains } from "./Networks.ts"
import { orderOf } from "./Order.ts"
import { type Page, pageBehind, pageOf, type Walk } from "./Pages.ts"
import { InvalidInput, UnsupportedEntity } from "./refusals.ts"
import { LIST_PROJECT_MAXIMUM, type Scope, scopeConditions, scopeOf } from "./Scope.ts"
import { selectionOf } from "./Selection.ts"
import { type Ask, bounded } from "./Source.ts"
import type { Sources } from "./Sources.ts"

const limitOf = (limit: number = LIMITS.defaultRows): Either.Either<number, InvalidInput> =>
  Number.isInteger(limit) && limit >= 1 && limit <= LIMITS.maxRows
    ? Either.right(limit)
    : Either.left(new InvalidInput({ context: { parameter: "limit", expected: `1 to ${LIMITS.maxRows}` } }))

export const checkServed = ({ name }: Entity, lacking: Lacking): Either.Either<void, UnsupportedEntity> =>
  lacking.entities.has(name)
    ? Either.left(new UnsupportedEntity({ detail: LACKING_REASON, context: { entity: name } }))
    : Either.void

const walkOf = (entity: Entity, scope: Scope, query: ListQuery, lacking: Lacking, ask: Ask) =>
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

const bindingOf = (entity: Entity, query: ListQuery, { order }: Walk): Binding => ({
  network: query.network,
  entity: entity.name,
  chainId: query.chainId,
  projectId: query.projectId,
  fields: query.fields,
  filters: query.filters,
  orderBy: order && [order.field, order.direction]
})

/** In a phase, before what the walk has given is remembered with it. */
type Place = Omit<Position, "given">

interface Found {
  readonly page: Page
  readonly start: Place | undefined
  /** After the last row. */
  readonly end: Place | undefined
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

const at = (phase: Phase, after: string | undefined): Place | undefined =>
  after === undefined ? undefined : { phase, after }

const inPhase = (phase: Phase, page: Page): Found => ({
  page,
  start: at(phase, page.start),
  end: at(phase, page.end),
  hasNext: page.hasNext,
  hasPrevious: page.hasPrevious || (phase === "nulls" && page.rest > 0)
})

/** The walk's first phase is over: what is left of the page is filled from the second. */
const crossing = Effect.fnUntraced(function* (walk: Walk, first: Page, limit: number) {
  const found = inPhase("values", first)
  const room = limit - first.items.length
  if (first.rest === 0) return found
  if (room === 0) return { ...found, end: { phase: "nulls" as const, after: undefined }, hasNext: true }
  const second = yield* pageOf(walk, "nulls", undefined, room)
  const joined: Found = {
    page: { ...first, items: [...first.items, ...second.items], observedAt: second.observedAt },
    start: found.start ?? at("nulls", second.start),
    end: at("nulls", second.end) ?? found.end,
    hasNext: second.hasNext,
    hasPrevious: found.hasPrevious
  }
  return joined
})

const findPage = Effect.fnUntraced(function* (walk: Walk, { phase, after }: Place, limit: number) {
  const page = yield* pageBehind(walk, phase, after, limit)
  return phase === "values" && !page.hasNext ? yield* crossing(walk, page, limit) : inPhase(phase, page)
})

const firstPosition = ({ order }: Walk): Position => ({
  phase: order?.nullable === true ? "values" : "only",
  after: undefined,
  given: []
})

/** In the order of their keys rows do not move, so that the last ones are enough to know where the walk was. */
const GIVEN_BY_KEY = LIMITS.maxRows
/** Of a request target, besides the cursor and what the query repeats. */
const ROOM_IN_TARGET = 3_500

const longestFor = ({ fields, filters, orderBy, longestCursor = LONGEST_CURSOR }: ListQuery): number =>
  Math.min(
    longestCursor,
    LONGEST_CURSOR,
    ROOM_IN_TARGET - encodeURIComponent(JSON.stringify([fields, filters, orderBy])).length
  )

export const makeList = Effect.fnUntraced(function* (sources: Sources, chains: Chains, answering: Answering) {
  const { reviewSecret } = yield* Settings
  const secret = Redacted.value(reviewSecret)
  return Effect.fn("Indexer.list")(function* (name: string, query: ListQuery) {
    const entity = yield* entityOf(name)
    const scope = yield* scopeOf(entity, chains, query, LIST_PROJECT_MAXIMUM)
    const limit = yield* limitOf(query.limit)
    const { ask, lacking } = yield* sources.of(query.network)
    const walk = yield* walkOf(entity, scope, query, yield* lacking, ask)
    const binding = bindingOf(entity, query, walk)
    const position =
      query.cursor === undefined ? firstPosition(walk) : yield* decodeCursor(secret, binding, query.cursor)
    const { page, start, end, hasNext, hasPrevious } = yield* findPage(walk, position, limit)
    const before = position.given
    const { items, given } = notGiven(secret, entity, page.items, before)
    const longest = longestFor(query)
    const token = (place: Place | undefined, known: Given) =>
      place === undefined
        ? Either.right(null)
        : encodeCursor(
            secret,
            binding,
            { ...place, given: walk.order === undefined ? known.slice(-GIVEN_BY_KEY) : known },
            longest
          )
    const first = notGiven(secret, entity, page.items.slice(0, 1), before).given
    const endCursor = hasNext ? yield* token(end, given) : Either.getOrElse(token(end, given), () => null)
    const answer: IndexerPage = {
      entity: name,
      ...answerFrame(answering, query.network, page.observedAt),
      items,
      totalCount: page.count + page.rest,
      pageInfo: {
        hasNextPage: hasNext,
        hasPreviousPage: hasPrevious,
        startCursor: Either.getOrElse(token(start, first), () => null),
        endCursor
      },
      nextCursor: hasNext ? endCursor : null
    }
    return yield* bounded(answer)
  })
})
