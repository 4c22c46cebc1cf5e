/** One page of the source: asked in one phase of a walk, and checked as a whole. */
import { Effect, Either, Option, Schema } from "effect"
import type { Phase } from "./Cursor.ts"
import { type ListVariables, listQuestion } from "./Document.ts"
import type { JsonObject } from "./Filters.ts"
import type { Order } from "./Order.ts"
import { type CheckedRow, checkedRow, type Expected, type FieldFault } from "./Rows.ts"
import { InvalidResponse } from "./refusals.ts"
import type { Selection } from "./Selection.ts"
import type { Ask } from "./Source.ts"

const Count = Schema.NonNegativeInt

const SourcePage = Schema.Struct({
  page: Schema.Struct({
    items: Schema.Array(Schema.Unknown),
    totalCount: Count,
    pageInfo: Schema.Struct({
      hasNextPage: Schema.Boolean,
      hasPreviousPage: Schema.Boolean,
      startCursor: Schema.NullOr(Schema.String),
      endCursor: Schema.NullOr(Schema.String)
    })
  }),
  rest: Schema.optional(Schema.Struct({ totalCount: Count }))
})

const decodePage = Schema.decodeUnknownOption(SourcePage)

/** Where the walk goes, the same on each of its pages. */
export interface Walk {
  readonly ask: Ask
  readonly selection: Selection
  readonly conditions: ReadonlyArray<JsonObject>
  readonly order: Order | undefined
  /** From the last row to the first. */
  readonly backwards?: boolean
  readonly expected: Expected
  /** Fields that were asked for and are not selected, so that a row is not too large. */
  readonly withheld?: ReadonlyArray<FieldFault>
}

export interface RowPage {
  readonly items: ReadonlyArray<CheckedRow>
  /** Of this phase. */
  readonly count: number
  /** Of the other phase. */
  readonly rest: number
  readonly hasNext: boolean
  readonly hasPrevious: boolean
  readonly start: string | undefined
  readonly end: string | undefined
  readonly observedAt: number
}

const valued = ({ source }: Order): JsonObject => ({ [`${source}_not`]: null })
const valueless = ({ source }: Order): JsonObject => ({ [source]: null })

const OPPOSITE = { asc: "desc", desc: "asc" } as const

const variablesOf = (
  { conditions, order, backwards = false }: Walk,
  phase: Phase,
  after: string | undefined,
  limit: number
): ListVariables => {
  const where = (further: ReadonlyArray<JsonObject>) => ({ AND: [...conditions, ...further] })
  const byKey = { orderDirection: backwards ? "desc" : undefined, after, limit }
  if (order === undefined) return { where: where([]), ...byKey }
  const orderDirection = backwards ? OPPOSITE[order.direction] : order.direction
  const ordered = { orderBy: order.source, orderDirection, after, limit }
  if (phase === "only") return { where: where([]), ...ordered }
  const [own, other] = [where([valued(order)]), where([valueless(order)])]
  return phase === "values" ? { where: own, rest: other, ...ordered } : { where: other, rest: own, ...byKey }
}

/** A page that says that there is more has to say where. */
const isCoherent = (
  { items, totalCount, pageInfo }: (typeof SourcePage.Type)["page"],
  after: string | undefined,
  limit: number
): boolean =>
  items.length <= limit &&
  totalCount >= items.length &&
  (!pageInfo.hasNextPage || (pageInfo.endCursor !== null && pageInfo.endCursor !== after))

export const readPage = Effect.fn("Indexer.page")(function* (
  walk: Walk,
  phase: Phase,
  after: string | undefined,
  limit: number
) {
  const question = listQuestion(walk.selection, variablesOf(walk, phase, after, limit))
  const { data, observedAt } = yield* walk.ask(question)
  const decoded = decodePage(data)
  if (Option.isNone(decoded) || !isCoherent(decoded.value.page, after, limit))
    return yield* new InvalidResponse()
  const { page, rest } = decoded.value
  if (phase !== "only" && rest === undefined) return yield* new InvalidResponse()
  const items = yield* Either.all(page.items.map(item => checkedRow(walk.selection, item, walk.expected)))
  const { withheld = [] } = walk
  const found: RowPage = {
    items: items.map(({ row, faults }) => ({ row, faults: [...withheld, ...faults] })),
    count: page.totalCount,
    rest: rest?.totalCount ?? 0,
    hasNext: page.pageInfo.hasNextPage,
    hasPrevious: page.pageInfo.hasPreviousPage,
    start: page.pageInfo.startCursor ?? undefined,
    end: page.pageInfo.endCursor ?? undefined,
    observedAt
  }
  return found
})

const LOOKS = 3

const unsteady = new InvalidResponse({
  detail: "The rows around the cursor changed faster than they could be read; ask for the page again."
})

/**
 * Behind a position whose own row is gone the source leaves out the last row where fewer follow than it looked for.
 * A further page finds that row. Where no other is left to start from, the walk goes on behind the row before; and where
 * at most one row is left before, it reads what is left of the list, whose given rows are then left out.
 */
export const pageBehind = Effect.fn("Indexer.pageBehind")(function* (
  walk: Walk,
  phase: Phase,
  after: string | undefined,
  limit: number
) {
  let from = after
  for (let looks = 0; looks < LOOKS; looks++) {
    const page: RowPage = yield* readPage(walk, phase, from, limit)
    if (from === undefined || page.hasPrevious || page.hasNext || page.count === 0) return page
    if (page.items.length > 0) return { ...page, hasNext: page.end !== undefined && page.end !== from }
    const before: RowPage = yield* readPage({ ...walk, backwards: true }, phase, from, 1)
    from = before.end
  }
  return yield* unsteady
})
