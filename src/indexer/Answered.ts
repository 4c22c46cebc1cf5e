/** Values of the source's rows, each checked against the type of its column. */
import type { Column } from "./Entities.ts"
import type { Json } from "./IndexerSchemas.ts"
import { isInt32, LIMITS } from "./Limits.ts"
import { isWideInteger } from "./Operands.ts"

const utf8 = new TextEncoder()

const isBounded = (text: string): boolean =>
  text.length <= LIMITS.maxStringBytes && utf8.encode(text).length <= LIMITS.maxStringBytes

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

const single = (column: Column, value: unknown): Json | undefined => {
  switch (column.base) {
    case "Int":
      if (typeof value !== "number" || !isInt32(value)) return undefined
      return column.name === "projectId" ? String(value) : value
    case "BigInt":
      return isWideInteger(value) ? value : undefined
    case "Boolean":
      return typeof value === "boolean" ? value : undefined
    case "JSON":
      return checkedJson(value, 1, { nodes: 0 })
    case "Enum":
      return ownMember(column, value)
    default:
      return typeof value === "string" && isBounded(value) ? value : undefined
  }
}

/** The value as it is answered, or undefined where it does not fit the column. */
export const answered = (column: Column, value: unknown): Json | undefined => {
  if (value === null) return column.nullable ? null : undefined
  if (!column.list) return single(column, value)
  return Array.isArray(value) && value.length <= LIMITS.maxScalarArray
    ? all(value.map(item => single(column, item)))
    : undefined
}
