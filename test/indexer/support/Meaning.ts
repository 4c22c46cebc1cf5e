/** What a filter says of a row, told without the source: true, false, or unknown where a value is absent. */
import type { Entity } from "../../../src/indexer/Entities.ts"
import type { Json, Row } from "../../../src/indexer/IndexerSchemas.ts"

type Truth = boolean | null

const not = (truth: Truth): Truth => (truth === null ? null : !truth)

const all = (truths: ReadonlyArray<Truth>): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true

const any = (truths: ReadonlyArray<Truth>): Truth =>
  truths.includes(true) ? true : truths.includes(null) ? null : false

const same = (value: Json, operand: Json): boolean =>
  Array.isArray(value) && Array.isArray(operand)
    ? value.every(item => operand.includes(item)) && operand.every(item => value.includes(item))
    : String(value) === String(operand)

const order = (value: Json, operand: Json): number => {
  const [left, right] = [BigInt(String(value)), BigInt(String(operand))]
  return left < right ? -1 : left > right ? 1 : 0
}

const text = (suffix: string, value: string, operand: string): boolean => {
  if (suffix.endsWith("_nocase"))
    return text(suffix.slice(0, -"_nocase".length), value.toLowerCase(), operand.toLowerCase())
  if (suffix.endsWith("contains")) return value.includes(operand)
  return suffix.endsWith("starts_with") ? value.startsWith(operand) : value.endsWith(operand)
}

const positive = (suffix: string, value: Json, operand: Json): boolean => {
  switch (suffix) {
    case "":
      return same(value, operand)
    case "_in":
      return Array.isArray(operand) && operand.some(item => same(value, item))
    case "_has":
      return Array.isArray(value) && value.some(item => same(item, operand))
    case "_gt":
      return order(value, operand) > 0
    case "_gte":
      return order(value, operand) >= 0
    case "_lt":
      return order(value, operand) < 0
    case "_lte":
      return order(value, operand) <= 0
    default:
      return text(suffix, String(value), String(operand))
  }
}

const leaf = (entity: Entity, key: string, operand: Json, row: Row): Truth => {
  const filter = entity.filters.get(key)
  const value = row[filter?.column.name ?? ""] ?? null
  const suffix = filter?.suffix ?? ""
  const denies = suffix.startsWith("_not")
  const asked = denies ? suffix.slice("_not".length) : suffix
  if (Array.isArray(operand) && operand.length === 0) return denies
  if (operand === null && asked === "") return denies ? value !== null : value === null
  if (operand === null || value === null) return null
  const truth = positive(asked, value, filter?.column.base === "Hex" ? lower(operand) : operand)
  return denies ? not(truth) : truth
}

const lower = (operand: Json): Json => {
  if (Array.isArray(operand)) return operand.map(lower)
  return typeof operand === "string" ? operand.toLowerCase() : operand
}

export const meaning = (entity: Entity, filters: Json, row: Row): Truth =>
  all(
    Object.entries(filters ?? {}).map(([key, operand]: readonly [string, Json]) => {
      if (key !== "AND" && key !== "OR") return leaf(entity, key, operand, row)
      const inner = Array.isArray(operand) ? operand.map(child => meaning(entity, child, row)) : []
      return key === "AND" ? all(inner) : any(inner)
    })
  )
