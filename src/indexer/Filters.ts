/** Filters as the caller means them, in the words of the source. */
import { Either, Predicate } from "effect"
import { excerpt } from "../values/Excerpt.ts"
import type { Entity, Filter } from "./Entities.ts"
import type { Json } from "./IndexerSchemas.ts"
import { LACKING_REASON, type Lacking } from "./Lacking.ts"
import { LIMITS } from "./Limits.ts"
import { type Operand, operandOf, operandsOf } from "./Operands.ts"
import { conditionOf } from "./ProjectIds.ts"
import {
  FilterTooComplex,
  InvalidFields,
  InvalidIndexerInput,
  type UnsafeInteger,
  UnsupportedFilter,
  VersionFixed
} from "./refusals.ts"

export type JsonObject = { readonly [key: string]: Json }

type Refused =
  | FilterTooComplex
  | InvalidFields
  | InvalidIndexerInput
  | UnsafeInteger
  | UnsupportedFilter
  | VersionFixed
type Checked<A> = Either.Either<A, Refused>

export const isObject = (value: Json | undefined): value is JsonObject => Predicate.isRecord(value)

const LIKE_MARKS = /[\\%_]/g

/** `%` and `_` match themselves. */
const pattern = (operand: Operand): Operand =>
  Either.map(operand, value => (typeof value === "string" ? value.replace(LIKE_MARKS, "\\$&") : value))

const isPattern = (suffix: string) => /contains|starts_with|ends_with/.test(suffix)

const nullRefused = (key: string) =>
  Either.left(new InvalidIndexerInput({ context: { member: key, expected: "a value other than null" } }))

const operand = ({ column, suffix }: Filter, key: string, value: Json): Operand => {
  if (suffix === "_in" || suffix === "_not_in") return operandsOf(column, value, 0)
  if (column.list && (suffix === "" || suffix === "_not")) return operandsOf(column, value, 1)
  if (value === null)
    return isPattern(suffix) || suffix.endsWith("_has") ? nullRefused(key) : Either.right(null)
  return isPattern(suffix) ? pattern(operandOf(column, value)) : operandOf(column, value)
}

const tooComplex = (detail: string) => new FilterTooComplex({ detail, context: { parameter: "filters" } })

/** One filter's way through its tree. */
class Reading {
  private nodes = 0
  private readonly entity: Entity
  private readonly lacking: Lacking

  constructor(entity: Entity, lacking: Lacking) {
    this.entity = entity
    this.lacking = lacking
  }

  object(filters: JsonObject, depth: number): Checked<JsonObject> {
    if (depth > LIMITS.maxFilterDepth)
      return Either.left(tooComplex(`Filters nest at most ${LIMITS.maxFilterDepth} levels.`))
    const members: Record<string, Json> = {}
    const further: Array<JsonObject> = []
    for (const [key, value] of Object.entries(filters)) {
      this.nodes += 1
      if (this.nodes > LIMITS.maxFilterNodes)
        return Either.left(tooComplex(`A filter has at most ${LIMITS.maxFilterNodes} members.`))
      const member = this.member(key, value, depth)
      if (Either.isLeft(member)) return Either.left(member.left)
      const [name, checked] = member.right
      if (Object.hasOwn(members, name)) further.push({ [name]: checked })
      else members[name] = checked
    }
    return Either.right(further.length === 0 ? members : { AND: [members, ...further] })
  }

  private member(key: string, value: Json, depth: number): Checked<readonly [string, Json]> {
    if (key === "AND" || key === "OR")
      return Either.map(this.children(key, value, depth), children => [key, children])
    if (key === "version" || key.startsWith("version_"))
      return Either.left(new VersionFixed({ context: { parameter: "filters" } }))
    const filter = this.entity.filters.get(key)
    const context = { parameter: "filters", member: excerpt(key) }
    if (filter === undefined) return Either.left(new UnsupportedFilter({ context }))
    const { fields, filters } = this.lacking
    if (fields.has(`${this.entity.name}.${filter.column.name}`) || filters.has(`${this.entity.name}.${key}`))
      return Either.left(new InvalidFields({ detail: LACKING_REASON, context }))
    return Either.map(operand(filter, key, value), checked => conditionOf(filter, checked))
  }

  private children(key: "AND" | "OR", value: Json, depth: number): Checked<ReadonlyArray<JsonObject>> {
    const expected = `1 to ${LIMITS.maxFilterArray} filters, each with a member`
    if (!Array.isArray(value) || value.length === 0 || value.length > LIMITS.maxFilterArray)
      return Either.left(new InvalidIndexerInput({ context: { member: key, expected } }))
    const children: Array<JsonObject> = []
    for (const child of value) {
      if (!isObject(child) || Object.keys(child).length === 0)
        return Either.left(new InvalidIndexerInput({ context: { member: key, expected } }))
      const checked = this.object(child, depth + 1)
      if (Either.isLeft(checked)) return Either.left(checked.left)
      children.push(key === "OR" ? asOne(checked.right) : checked.right)
    }
    return Either.right(children)
  }
}

/** The source would join the members of such a child by OR. */
const asOne = (child: JsonObject): JsonObject => (Object.keys(child).length > 1 ? { AND: [child] } : child)

export const filtersFor = (entity: Entity, filters: Json, lacking: Lacking): Checked<JsonObject> =>
  isObject(filters)
    ? new Reading(entity, lacking).object(filters, 1)
    : Either.left(new InvalidIndexerInput({ context: { parameter: "filters", expected: "an object" } }))
