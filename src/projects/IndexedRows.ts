/** Asks the indexed source for typed rows; a field that an older source lacks is left out and said to be missing. */
import { Effect, Either, Schema } from "effect"
import { Indexer, type ListQuery, type RecordQuery } from "../indexer/Indexer.ts"
import type { IndexerPage, Row } from "../indexer/IndexerSchemas.ts"
import { type IndexerRefusal, InvalidResponse } from "../indexer/refusals.ts"

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
  readonly coverage: { readonly missingFields: ReadonlyArray<string>; readonly notes: ReadonlyArray<string> }
}

const NOTES = ["Each page is read anew: rows may have come or gone since the page before."]

const decodedBy =
  <A, I>({ entity, row }: Rows<A, I>) =>
  (item: Row): Either.Either<A, InvalidResponse> =>
    Either.mapLeft(
      Schema.decodeUnknownEither(row)(item),
      () =>
        new InvalidResponse({ detail: "A row of the source does not have its shape.", context: { entity } })
    )

interface Selected {
  readonly fields: ReadonlyArray<string>
  readonly missing: ReadonlyArray<string>
}

/** First all fields, then without the newer ones where the source refuses them. */
const selecting = <A, I, B>(
  { fields, newer = [] }: Rows<A, I>,
  ask: (selected: Selected) => Effect.Effect<B, IndexerRefusal>
): Effect.Effect<B, IndexerRefusal> => {
  const whole = ask({ fields, missing: [] })
  if (newer.length === 0) return whole
  const older = fields.filter(field => !newer.includes(field))
  return Effect.catchTag(whole, "INDEXER_INVALID_FIELDS", () => ask({ fields: older, missing: newer }))
}

type Query = Omit<ListQuery, "fields" | "longestCursor">

/** As inputs of operations take them. */
const LONGEST_CURSOR = 1024

export const listRows = <A, I>(rows: Rows<A, I>, query: Query) =>
  Effect.flatMap(Indexer, indexer =>
    selecting(rows, ({ fields, missing }) =>
      Effect.flatMap(indexer.list(rows.entity, { ...query, fields, longestCursor: LONGEST_CURSOR }), page =>
        Effect.map(
          Either.all(page.items.map(decodedBy(rows))),
          (items): IndexedPage<A> => ({
            items,
            totalCount: page.totalCount,
            pageInfo: { hasNextPage: page.nextCursor !== null, endCursor: page.nextCursor },
            provenance: page.provenance,
            coverage: { missingFields: missing, notes: NOTES }
          })
        )
      )
    )
  )

/** Null where the source has no such record. */
export const oneRow = <A, I>(rows: Rows<A, I>, query: Omit<RecordQuery, "fields">) =>
  Effect.flatMap(Indexer, indexer =>
    selecting(rows, ({ fields }) =>
      Effect.flatMap(
        indexer.record(rows.entity, { ...query, fields }),
        ({ item }): Either.Either<A | null, InvalidResponse> =>
          item === null ? Either.right(null) : decodedBy(rows)(item)
      )
    )
  )
