/** Cursors of lists: positions of the source, authenticated and good only for the query that they were given for. */
import { Either } from "effect"
import { CURSOR_ENDED, type CursorSigning } from "../settings/CursorSigner.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { type Given, packGiven, unpackGiven } from "./Given.ts"
import { isPlainText, LIMITS } from "./Limits.ts"
import { InvalidIndexerCursor, SourceAnswerTooLarge } from "./refusals.ts"

/** `only` where one walk meets every row; else rows with a value of the order's column, then those without. */
export type Phase = "only" | "values" | "nulls"

export interface WalkPosition {
  readonly phase: Phase
  /** The source's cursor; absent at the phase's start. */
  readonly after: string | undefined
  /** What the walk has given up to here. */
  readonly given: Given
}

/** What a cursor is bound to. */
export type CursorBinding = Readonly<Record<string, unknown>>

const PHASES: ReadonlyMap<string, Phase> = new Map([
  ["o", "only"],
  ["v", "values"],
  ["n", "nulls"]
])
const TAG_LENGTH = 43
/** A cursor has to fit into a request target beside everything else. */
export const LONGEST_CURSOR = 3_072
/** Room for what one page gives, however much a query has to repeat. */
const LEAST_ROOM = 340
/** Longer than any padding of a position, and never in what is remembered. */
const BEFORE_GIVEN = "~~~"
const STANDARD = /^[A-Za-z0-9+/=]*$/
const SAFER: Readonly<Record<string, string>> = { "+": "-", "/": "_", "=": "~" }
const BACK: Readonly<Record<string, string>> = { "-": "+", _: "/", "~": "=" }

const packed = (after: string | undefined): string => {
  if (after === undefined) return "0"
  return STANDARD.test(after)
    ? `1${after.replace(/[+/=]/g, mark => SAFER[mark] ?? mark)}`
    : `2${Buffer.from(after).toString("base64url")}`
}

const unpacked = (text: string): string | undefined => {
  const rest = text.slice(1)
  if (text.startsWith("1")) return rest.replace(/[-_~]/g, mark => BACK[mark] ?? mark)
  return text.startsWith("2") ? Buffer.from(rest, "base64url").toString() : undefined
}

const signedText = (binding: CursorBinding, payload: string): string =>
  canonicalJson(["indexer", binding, payload])

const tooLong = new SourceAnswerTooLarge({
  detail: "A position in this order is longer than a cursor may be; order by a shorter field.",
  context: { parameter: "orderBy" }
})

/** Remembers as much of what was given as there is room for. */
export const encodeCursor = (
  signer: CursorSigning,
  binding: CursorBinding,
  { phase, after, given }: WalkPosition,
  longest = LONGEST_CURSOR
): Either.Either<string, SourceAnswerTooLarge> => {
  const place = `${phase.slice(0, 1)}${packed(after)}`
  if (TAG_LENGTH + place.length > LONGEST_CURSOR) return Either.left(tooLong)
  const room = Math.max(LEAST_ROOM, longest - TAG_LENGTH - place.length - BEFORE_GIVEN.length)
  const payload = `${place}${BEFORE_GIVEN}${packGiven(given, room)}`
  const signature = Buffer.from(signer.sign(signedText(binding, payload)))
  return Either.right(`${signature.toString("base64url")}${payload}`)
}

const refused = new InvalidIndexerCursor({
  context: { parameter: "cursor", expected: "the cursor that a page of this same query ended with" }
})

const ended = new InvalidIndexerCursor({
  detail: CURSOR_ENDED,
  context: { parameter: "cursor", expected: "no cursor, for the first page" }
})

export const decodeCursor = (
  signer: CursorSigning,
  binding: CursorBinding,
  cursor: string
): Either.Either<WalkPosition, InvalidIndexerCursor> => {
  const payload = cursor.slice(TAG_LENGTH)
  const phase = PHASES.get(payload.slice(0, 1))
  if (!isPlainText(cursor, LIMITS.maxCursorBytes) || phase === undefined) return Either.left(refused)
  const tag = cursor.slice(0, TAG_LENGTH)
  const signature = Buffer.from(tag, "base64url")
  if (signature.toString("base64url") !== tag) return Either.left(refused)
  if (!signer.isSigned(signedText(binding, payload), signature))
    return Either.left(signer.hasEnded?.(signature) === true ? ended : refused)
  const end = payload.lastIndexOf(BEFORE_GIVEN)
  const place = end === -1 ? payload : payload.slice(0, end)
  const given = end === -1 ? [] : unpackGiven(payload.slice(end + BEFORE_GIVEN.length))
  return Either.right({ phase, after: unpacked(place.slice(1)), given })
}
