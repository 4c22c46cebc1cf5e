/** Asks the indexed source for typed rows; a field that an older source lacks is left out and said to be missing. */
import { Array, Effect, Either, type ParseResult, Schema } from "effect"
import { degradedRow, telling } from "../indexer/Degrading.ts"
import { entityOf } from "../indexer/Entities.ts"
import { Indexer, type RecordQuery, type RowsQuery } from "../indexer/Indexer.ts"
import type { Degraded, IndexerPage, Json, Row } from "../indexer/IndexerSchemas.ts"
import {
  type EntityNotFound,
  type FormRefusal,
  type IndexerRefusal,
  InvalidResponse
} from "../indexer/refusals.ts"
import { misfitOf } from "../values/Expectation.ts"
import type { Observed } from "../values/Observed.ts"
import { MAX_SAFE } from "../values/Scalars.ts"

interface Rows<A, I> {
  readonly entity: string
  readonly row: Schema.Schema<A, I>
  readonly fields: ReadonlyArray<string>
  /** Those that older sources lack. */
  readonly newer?: ReadonlyArray<string>
}

export interface IndexedPage<A> {
  readonly items: ReadonlyArray<A>
  readonly totalCount: number | null
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly provenance: IndexerPage["provenance"]
  readonly coverage: {
    readonly missingFields: ReadonlyArray<string>
    readonly degraded: ReadonlyArray<Degraded>
    readonly notes: ReadonlyArray<string>
  }
}

const NOTES = ["Each page is read anew: rows may have come or gone since the page before."]

const decodedBy =
  <A, I>({ entity, row }: Rows<A, I>) =>
  (item: Row): Either.Either<A, InvalidResponse> =>
    Either.mapLeft(Schema.decodeUnknownEither(row)(item), error => misshapen(entity, error))

/** What is wrong with a row, or with a part of it, that is not as the operation tells it. */
export const misshapen = (entity: string, error: ParseResult.ParseError): InvalidResponse => {
  const field = misfitOf(error).path.map(String).join(".")
  return new InvalidResponse({
    detail: "The source holds a value here that is none of its kind.",
    context: { entity, ...(field === "" ? {} : { field }) },
    retryable: false
  })
}

interface Sorted<A> {
  readonly items: ReadonlyArray<A>
  readonly degraded: ReadonlyArray<Degraded>
}

/** A row without its shape is left out and told of, and takes no other with it. */
const sorted = <A, I>(rows: Rows<A, I>, page: IndexerPage): Either.Either<Sorted<A>, EntityNotFound> =>
  Either.map(entityOf(rows.entity), entity => {
    const read = page.items.map(item =>
      Either.mapLeft(decodedBy(rows)(item), fault => degradedRow(entity, item, fault))
    )
    return { items: Array.getRights(read), degraded: [...Array.getLefts(read), ...(page.degraded ?? [])] }
  })

interface Selected {
  readonly fields: ReadonlyArray<string>
  readonly missing: ReadonlyArray<string>
}

const MALFORMED: Readonly<Record<FormRefusal["_tag"], true>> = {
  INDEXER_SELECTION_TOO_COMPLEX: true,
  INDEXER_UNSUPPORTED_RELATION: true,
  INDEXER_UNSUPPORTED_FILTER: true,
  INDEXER_FILTER_TOO_COMPLEX: true,
  INDEXER_VERSION_FIXED: true,
  INDEXER_INVALID_ORDER: true,
  INDEXER_SCOPE_MISMATCH: true,
  INDEXER_COMPOSITE_KEY_REQUIRED: true,
  INDEXER_ENTITY_NOT_FOUND: true
}

/** The form of what is asked here is the service's own. */
const isOwnMistake = (refusal: IndexerRefusal): refusal is FormRefusal => refusal._tag in MALFORMED

/** First all fields, then without the newer ones where the source refuses them. */
const selecting = <A, I, B>(
  { fields, newer = [] }: Rows<A, I>,
  ask: (selected: Selected) => Effect.Effect<B, IndexerRefusal>
): Effect.Effect<B, Exclude<IndexerRefusal, FormRefusal>> => {
  const whole = ask({ fields, missing: [] })
  const older = fields.filter(field => !newer.includes(field))
  const served =
    newer.length === 0
      ? whole
      : Effect.catchTag(whole, "INDEXER_INVALID_FIELDS", () => ask({ fields: older, missing: newer }))
  return Effect.catchIf(served, isOwnMistake, Effect.die)
}

/** What is asked where a source lacks a filter of the query. */
interface OlderFilters {
  readonly filters: Json
  /** What that means for the answer. */
  readonly note: string
}

type Query = Omit<RowsQuery, "fields" | "bound" | "longestCursor" | "greatestProject">

/** As inputs of operations take them. */
const LONGEST_CURSOR = 1024

/** An id that no JSON number carries is as absent as the greatest that one does. */
const within = ({ projectId }: { readonly projectId?: string | undefined }) => {
  if (projectId === undefined) return {}
  return { projectId: BigInt(projectId) > BigInt(MAX_SAFE) ? String(MAX_SAFE) : projectId }
}

export const listRows = <A, I>(rows: Rows<A, I>, query: Query, older?: OlderFilters) =>
  Effect.flatMap(Indexer, indexer => {
    const asking = (filters: Json | undefined, notes: ReadonlyArray<string>) =>
      selecting(rows, ({ fields, missing }) =>
        Effect.flatMap(
          indexer.list(rows.entity, {
            ...query,
            ...within(query),
            fields,
            filters,
            bound: { fields: rows.fields, filters: query.filters },
            longestCursor: LONGEST_CURSOR,
            greatestProject: MAX_SAFE
          }),
          page =>
            Effect.map(
              sorted(rows, page),
              ({ items, degraded }): IndexedPage<A> => ({
                items,
                totalCount: page.totalCount,
                pageInfo: { hasNextPage: page.nextCursor !== null, endCursor: page.nextCursor },
                provenance: page.provenance,
                coverage: { missingFields: missing, degraded, notes }
              })
            )
        )
      )
    const page = asking(query.filters, NOTES)
    return older === undefined
      ? page
      : Effect.catchTag(page, "INDEXER_INVALID_FIELDS", () => asking(older.filters, [...NOTES, older.note]))
  })

export interface IndexedRow<A> {
  /** Null where the source has no such record. */
  readonly row: A | null
  readonly degraded: ReadonlyArray<Degraded>
}

/** What an answer with that row says of what is cut of it. */
export const degradedOf = <A>(found: Observed<IndexedRow<A>>) =>
  telling(found.status === "known" ? found.value.degraded : [])

export const oneRow = <A, I>(rows: Rows<A, I>, query: Omit<RecordQuery, "fields">) =>
  Effect.flatMap(Indexer, indexer =>
    selecting(rows, ({ fields }) =>
      Effect.flatMap(
        indexer.record(rows.entity, { ...query, ...within(query), fields }),
        ({ item, degraded = [] }): Either.Either<IndexedRow<A>, InvalidResponse> =>
          item === null
            ? Either.right({ row: null, degraded })
            : Either.map(decodedBy(rows)(item), row => ({ row, degraded }))
      )
    )
  )
