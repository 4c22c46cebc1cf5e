/** Where a walk is, and what it finds next: rows with a value of the order's column, then those without. */
import { Clock, Effect } from "effect"
import type { Phase, WalkPosition } from "./Cursor.ts"
import { narrowed } from "./Degrading.ts"
import { LIMITS } from "./Limits.ts"
import { pageBehind, type RowPage, readPage, type Walk } from "./Pages.ts"
import { bounded } from "./Source.ts"

/** Without what the walk has given up to there. */
export type WalkPlace = Omit<WalkPosition, "given">

export interface FoundPage {
  readonly page: RowPage
  readonly start: WalkPlace | undefined
  /** After the last row. */
  readonly end: WalkPlace | undefined
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

const at = (phase: Phase, after: string | undefined): WalkPlace | undefined =>
  after === undefined ? undefined : { phase, after }

const inPhase = (phase: Phase, page: RowPage): FoundPage => ({
  page,
  start: at(phase, page.start),
  end: at(phase, page.end),
  hasNext: page.hasNext,
  hasPrevious: page.hasPrevious || (phase === "nulls" && page.rest > 0)
})

/** The walk's first phase is over: what is left of the page is filled from the second. */
const crossing = Effect.fnUntraced(function* (walk: Walk, first: RowPage, limit: number) {
  const found = inPhase("values", first)
  const room = limit - first.items.length
  if (first.rest === 0) return found
  if (room === 0) return { ...found, end: { phase: "nulls" as const, after: undefined }, hasNext: true }
  const second = yield* readPage(walk, "nulls", undefined, room)
  const joined: FoundPage = {
    page: { ...first, items: [...first.items, ...second.items], observedAt: second.observedAt },
    start: found.start ?? at("nulls", second.start),
    end: at("nulls", second.end) ?? found.end,
    hasNext: second.hasNext,
    hasPrevious: found.hasPrevious
  }
  return joined
})

/** Of an answer, for everything besides its rows. */
const FRAME_BYTES = 131_072

const findRows = Effect.fnUntraced(function* (walk: Walk, { phase, after }: WalkPlace, limit: number) {
  const page = yield* pageBehind(walk, phase, after, limit)
  const found: FoundPage =
    phase === "values" && !page.hasNext ? yield* crossing(walk, page, limit) : inPhase(phase, page)
  yield* bounded(found.page.items, LIMITS.maxResponseBytes - FRAME_BYTES)
  return found
})

type Finding = ReturnType<typeof findRows>

/** Fewer rows where so many are too much for an answer; a row that alone is too much without what makes it so. */
export const findPage = (walk: Walk, place: WalkPlace, limit: number): Finding =>
  Effect.catchTag(findRows(walk, place, limit), "INDEXER_RESPONSE_TOO_LARGE", () => {
    if (limit > 1) return findPage(walk, place, Math.floor(limit / 2))
    const { selection, faults } = narrowed(walk.selection)
    return findRows({ ...walk, selection, withheld: faults }, place, 1)
  })

export const firstPosition = ({ order }: Walk): WalkPosition => ({
  phase: order?.nullable === true ? "values" : "only",
  after: undefined,
  given: []
})

/** What is found of that of which the source has nothing, so that it is not asked. */
export const nothing = Effect.map(
  Clock.currentTimeMillis,
  (observedAt): FoundPage => ({
    page: {
      items: [],
      count: 0,
      rest: 0,
      hasNext: false,
      hasPrevious: false,
      start: undefined,
      end: undefined,
      observedAt
    },
    start: undefined,
    end: undefined,
    hasNext: false,
    hasPrevious: false
  })
)
