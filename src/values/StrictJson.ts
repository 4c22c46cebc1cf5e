/** JSON as the service accepts it: UTF-8, bounded depth and nodes, no duplicate or reserved keys, no integer it would round, no text it could not write as UTF-8. */
import { Either } from "effect"
import { exceeds } from "./JsonBounds.ts"
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
const TOKEN = /[ \t\n\r]*(?:([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d[\d.eE+-]*)|(true|false|null))/y

/** An escape is the only way in for half of a pair: the text around it is UTF-8. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/

const meant = (literal: string): string =>
  literal.includes("\\") ? String(JSON.parse(literal)) : literal.slice(1, -1)

const isHalf = (literal: string): boolean => SURROGATE_ESCAPE.test(literal) && !meant(literal).isWellFormed()

type Frame = { readonly keys: Set<string> | undefined; expectsKey: boolean }

/** Scans text that JSON.parse has already accepted, so the grammar is known to hold. */
class Scan {
  private readonly frames: Array<Frame> = []
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  run(): JsonRefusal | undefined {
    TOKEN.lastIndex = 0
    for (let match = TOKEN.exec(this.text); match !== null; match = TOKEN.exec(this.text)) {
      const refusal = this.token(match)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }

  private token([, mark, string, number]: RegExpExecArray): JsonRefusal | undefined {
    if (mark !== undefined) return this.structure(mark)
    if (string !== undefined && isHalf(string))
      return new InvalidUtf8({ detail: "A string holds half of a surrogate pair." })
    const top = this.frames.at(-1)
    if (string !== undefined && top?.keys !== undefined && top.expectsKey)
      return this.key(string, top, top.keys)
    return number !== undefined && isUnsafe(number) ? new UnsafeJsonNumber() : undefined
  }

  private structure(mark: string): undefined {
    if (mark === "{" || mark === "[")
      this.frames.push({ keys: mark === "{" ? new Set() : undefined, expectsKey: true })
    if (mark === "}" || mark === "]") this.frames.pop()
    const top = this.frames.at(-1)
    if (mark === "," && top !== undefined) top.expectsKey = true
    if (mark === ":" && top !== undefined) top.expectsKey = false
    return undefined
  }

  private key(literal: string, frame: Frame, keys: Set<string>): JsonRefusal | undefined {
    const key = meant(literal)
    if (RESERVED.has(key)) return new ReservedJsonKey({ context: { key } })
    if (keys.has(key)) return new DuplicateJsonKey({ context: { key: key.slice(0, 100) } })
    keys.add(key)
    frame.expectsKey = false
    return undefined
  }
}

const isUnsafe = (literal: string): boolean => {
  const value = Number(literal)
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
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
