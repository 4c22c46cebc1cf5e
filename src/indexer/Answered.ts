/** Values of the source's rows, each checked against the type of its column; what anybody can write is cut or left out. */
import type { RefusalContext } from "../values/Refusal.ts"
import type { Column } from "./Entities.ts"
import type { Json } from "./IndexerSchemas.ts"
import { isInt32, LIMITS } from "./Limits.ts"
import { isWideInteger } from "./Operands.ts"
import { InvalidResponse, SourceAnswerTooLarge } from "./refusals.ts"

const utf8 = new TextEncoder()

const isBounded = (text: string): boolean =>
  text.length <= LIMITS.maxStringBytes && utf8.encode(text).length <= LIMITS.maxStringBytes

const JSON_FAULT =
  "The JSON is deeper, larger or holds other numbers, texts or names than are passed on unchanged."

const RESERVED = new Set(["__proto__", "constructor", "prototype"])

/** Bounded JSON, or undefined. */
const checkedJson = (value: unknown, depth: number, budget: { nodes: number }): Json | undefined => {
  budget.nodes += 1
  if (depth > LIMITS.maxJsonDepth || budget.nodes > LIMITS.maxJsonNodes) return undefined
  if (value === null || typeof value === "boolean") return value
  if (typeof value === "string") return isBounded(value) ? value : undefined
  if (typeof value === "number")
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
      ? value
      : undefined
  if (typeof value !== "object") return undefined
  if (Array.isArray(value)) return all(value.map(item => checkedJson(item, depth + 1, budget)))
  const entries: ReadonlyArray<readonly [string, unknown]> = Object.entries(value)
  if (entries.some(([name]) => RESERVED.has(name))) return undefined
  const inner = all(entries.map(([, item]) => checkedJson(item, depth + 1, budget)))
  return inner && Object.fromEntries(entries.map(([name], index) => [name, inner[index] ?? null]))
}

const all = (values: ReadonlyArray<Json | undefined>): ReadonlyArray<Json> | undefined => {
  const known = values.filter(value => value !== undefined)
  return known.length === values.length ? known : undefined
}

const ownMember = ({ members }: Column, value: unknown): string | undefined =>
  [...members].find(([, source]) => source === value)?.[0]

/** The beginning of a text that ends with a whole character. */
const beginning = (text: string): string =>
  new TextDecoder().decode(utf8.encode(text).subarray(0, LIMITS.maxStringBytes)).replace(/\uFFFD+$/, "")

/** What may be told of a value: all of it, its beginning or nothing; what is less than all of it has a fault. */
export interface ToldValue {
  readonly value?: Json
  readonly fault?: ValueFault
}

export type ValueFault = InvalidResponse | SourceAnswerTooLarge

const whole = (value: Json): ToldValue => ({ value })

const lost = (detail: string): ToldValue => ({ fault: new InvalidResponse({ detail, retryable: false }) })

const tooLong = (detail: string, context: RefusalContext): SourceAnswerTooLarge =>
  new SourceAnswerTooLarge({ detail, context, retryable: false })

const text = (value: unknown): ToldValue | undefined => {
  if (typeof value !== "string") return undefined
  if (isBounded(value)) return whole(value)
  const context = { bytes: utf8.encode(value).length, given: LIMITS.maxStringBytes }
  return {
    value: beginning(value),
    fault: tooLong("The text is longer than is given; this is its beginning.", context)
  }
}

const single = (column: Column, value: unknown): ToldValue | undefined => {
  switch (column.base) {
    case "Int":
      if (typeof value !== "number" || !isInt32(value)) return undefined
      return whole(column.name === "projectId" ? String(value) : value)
    case "BigInt":
      return isWideInteger(value) ? whole(value) : undefined
    case "Boolean":
      return typeof value === "boolean" ? whole(value) : undefined
    case "JSON": {
      const json = checkedJson(value, 1, { nodes: 0 })
      return json === undefined ? lost(JSON_FAULT) : whole(json)
    }
    case "Enum": {
      const own = ownMember(column, value)
      if (own !== undefined) return whole(own)
      return typeof value === "string" ? lost("The value is none that the pinned schema knows.") : undefined
    }
    default:
      return text(value)
  }
}

const list = (column: Column, value: unknown): ToldValue | undefined => {
  if (!Array.isArray(value)) return undefined
  if (value.length > LIMITS.maxScalarArray)
    return {
      fault: tooLong("The list has more items than are given.", {
        items: value.length,
        most: LIMITS.maxScalarArray
      })
    }
  const items = value.map(item => single(column, item))
  const known = all(items.map(item => item?.value))
  if (items.includes(undefined)) return undefined
  const fault = items.find(item => item?.fault !== undefined)?.fault
  return fault === undefined ? known && whole(known) : { fault }
}

/** Undefined where the value does not fit the column, as no row of the pinned schema can have it. */
export const answered = (column: Column, value: unknown): ToldValue | undefined => {
  if (value === null) return column.nullable ? whole(null) : undefined
  return column.list ? list(column, value) : single(column, value)
}
