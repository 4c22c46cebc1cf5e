/** JSON as the service accepts it: UTF-8, bounded depth and nodes, no duplicate or reserved keys, no integer it would round, no text it could not write as UTF-8. */
import { Either } from "effect"
import { excerpt } from "./Excerpt.ts"
import { COMMA, endOfString, exceeds, isClosing, QUOTE, SPACE } from "./JsonBounds.ts"
import { Refusal } from "./Refusal.ts"

export class InvalidUtf8 extends Refusal("INVALID_UTF8") {}
export class InvalidJson extends Refusal("INVALID_JSON") {}
export class JsonTooComplex extends Refusal("JSON_TOO_COMPLEX") {}
export class UnsafeJsonNumber extends Refusal("UNSAFE_JSON_NUMBER") {}
export class ReservedJsonKey extends Refusal("RESERVED_JSON_KEY") {}
export class DuplicateJsonKey extends Refusal("DUPLICATE_JSON_KEY") {}

export type JsonRefusal =
  | InvalidUtf8
  | InvalidJson
  | JsonTooComplex
  | UnsafeJsonNumber
  | ReservedJsonKey
  | DuplicateJsonKey

const BOUNDS = { depth: 32, nodes: 30_000 }
const RESERVED = new Set(["__proto__", "constructor", "prototype"])
const EXPONENT = /[eE]/
/** What has no more characters, and no exponent, is no number that would be rounded to an integer. */
const SAFE_DIGITS = 15
const PLUS = 0x2b
const MINUS = 0x2d
const NINE = 0x39
const SMALL_E = 0x65
const BRACKET = 0x5b
const BRACE = 0x7b

/** An escape is the only way in for half of a pair: the text around it is UTF-8. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/

const meant = (literal: string): string =>
  literal.includes("\\") ? String(JSON.parse(literal)) : literal.slice(1, -1)

const isHalf = (literal: string): boolean =>
  literal.includes("\\") && SURROGATE_ESCAPE.test(literal) && !meant(literal).isWellFormed()

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= NINE

/** Digits, signs, points and exponents: from the plus to the nine only the comma ends a number. */
const goesOn = (unit: number): boolean =>
  (unit >= PLUS && unit <= NINE && unit !== COMMA) || (unit | SPACE) === SMALL_E

const endOfNumber = (text: string, start: number): number => {
  let at = start + 1
  while (goesOn(text.charCodeAt(at))) at++
  return at
}

/** A digit stands behind the point, once the exponent has moved it. */
const isRounded = (literal: string): boolean => {
  const [, whole = "", fraction = "", exponent] = /(\d+)\.?(\d*)e?(.*)/i.exec(literal) ?? []
  return /[1-9]/.test((whole + fraction).slice(Math.max(0, whole.length + Number(exponent))))
}

const isUnsafe = (literal: string): boolean => {
  if (literal.length <= SAFE_DIGITS && !EXPONENT.test(literal)) return false
  const value = Number(literal)
  if (!Number.isInteger(value)) return !Number.isFinite(value)
  return !Number.isSafeInteger(value) || isRounded(literal)
}

/** Scans text that JSON.parse has already accepted, so the grammar is known to hold. */
class Scan {
  /** The keys of each object that is open, undefined for an array. */
  private readonly open: Array<Set<string> | undefined> = []
  private expectsKey = false
  private readonly mayBeHalf: boolean
  private readonly text: string

  constructor(text: string) {
    this.text = text
    this.mayBeHalf = SURROGATE_ESCAPE.test(text)
  }

  run(): JsonRefusal | undefined {
    const { text } = this
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit <= SPACE) continue
      const isNumber = unit === MINUS || isDigit(unit)
      if (!isNumber && unit !== QUOTE) {
        this.mark(unit)
        continue
      }
      const end = isNumber ? endOfNumber(text, at) : endOfString(text, at) + 1
      const refusal = isNumber ? this.number(at, end) : this.string(at, end)
      if (refusal !== undefined) return refusal
      at = end - 1
    }
    return undefined
  }

  private mark(unit: number): void {
    if (unit === BRACE || unit === BRACKET) this.open.push(unit === BRACE ? new Set() : undefined)
    else if (isClosing(unit)) this.open.pop()
    else if (unit !== COMMA) return
    this.expectsKey = !isClosing(unit) && this.open.at(-1) !== undefined
  }

  private number(start: number, end: number): JsonRefusal | undefined {
    return isUnsafe(this.text.slice(start, end)) ? new UnsafeJsonNumber() : undefined
  }

  private string(start: number, end: number): JsonRefusal | undefined {
    const keys = this.expectsKey ? this.open.at(-1) : undefined
    if (keys === undefined && !this.mayBeHalf) return undefined
    const literal = this.text.slice(start, end)
    if (this.mayBeHalf && isHalf(literal))
      return new InvalidUtf8({ detail: "A string holds half of a surrogate pair." })
    this.expectsKey = false
    return keys === undefined ? undefined : added(meant(literal), keys)
  }
}

const added = (key: string, keys: Set<string>): JsonRefusal | undefined => {
  if (RESERVED.has(key)) return new ReservedJsonKey({ context: { key } })
  const known = keys.size
  return keys.add(key).size === known ? new DuplicateJsonKey({ context: { key: excerpt(key) } }) : undefined
}

const parsed = (text: string): Either.Either<unknown, InvalidJson> =>
  Either.try({ try: (): unknown => JSON.parse(text), catch: () => new InvalidJson() })

/** Counted first: what is refused for its size is never built. */
export const parseStrictJson = (text: string): Either.Either<unknown, JsonRefusal> => {
  if (exceeds(text, BOUNDS)) return Either.left(new JsonTooComplex())
  const value = parsed(text)
  if (Either.isLeft(value)) return value
  const refusal = new Scan(text).run()
  return refusal === undefined ? value : Either.left(refusal)
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

export const parseStrictJsonBytes = (bytes: Uint8Array): Either.Either<unknown, JsonRefusal> =>
  Either.flatMap(
    Either.try({ try: () => utf8.decode(bytes), catch: () => new InvalidUtf8() }),
    parseStrictJson
  )
