/** The primary key of a record, gathered from what is given and from the scope. */
import { Either } from "effect"
import { excerpt } from "../values/Excerpt.ts"
import type { Column, Entity } from "./Entities.ts"
import { isObject, type JsonObject } from "./Filters.ts"
import type { Json } from "./IndexerSchemas.ts"
import { isPlainText, LIMITS, PROTOCOL_VERSION } from "./Limits.ts"
import { isWideInteger } from "./Operands.ts"
import {
  CompositeKeyRequired,
  InvalidIndexerInput,
  NetworkMismatch,
  ScopeMismatch,
  UnsafeInteger,
  VersionFixed
} from "./refusals.ts"
import type { IndexScope } from "./Scope.ts"

export type Key = Readonly<Record<string, string | number>>

type Refused =
  | CompositeKeyRequired
  | InvalidIndexerInput
  | NetworkMismatch
  | ScopeMismatch
  | UnsafeInteger
  | VersionFixed

type Part = Either.Either<string | number, Refused>

const wrong = (name: string, expected: string): Part =>
  Either.left(new InvalidIndexerInput({ context: { parameter: "id", member: name, expected } }))

const DECIMAL = /^(?:0|-?[1-9][0-9]{0,15})$/

const integerPart = (name: string, value: Json): Part => {
  const number = typeof value === "string" && DECIMAL.test(value) ? Number(value) : value
  if (typeof number !== "number" || !Number.isInteger(number)) return wrong(name, "an integer")
  if (!Number.isSafeInteger(number))
    return Either.left(new UnsafeInteger({ context: { parameter: "id", member: name } }))
  return name === "projectId" && number < 0 ? wrong(name, "an integer from 0") : Either.right(number)
}

const EVEN_HEX = /^0x(?:[0-9a-fA-F]{2})*$/

const textPart = ({ name, base }: Column, value: Json): Part => {
  if (typeof value !== "string" || !isPlainText(value, LIMITS.maxInputString))
    return wrong(name, `a text of at most ${LIMITS.maxInputString} bytes without NUL`)
  if (base !== "Hex") return Either.right(value)
  return EVEN_HEX.test(value)
    ? Either.right(value.toLowerCase())
    : wrong(name, "bytes in hexadecimal with 0x")
}

const partOf = (column: Column, value: Json): Part => {
  if (column.base === "Int") return integerPart(column.name, value)
  if (column.base !== "BigInt") return textPart(column, value)
  return isWideInteger(value) ? Either.right(value) : wrong(column.name, "a decimal string")
}

const fromScope = ({ chainId, projectId }: IndexScope): JsonObject => ({
  version: PROTOCOL_VERSION,
  ...(chainId === undefined ? {} : { chainId }),
  ...(projectId === undefined ? {} : { projectId })
})

const incomplete = (entity: Entity, missing: ReadonlyArray<string>) =>
  Either.left(
    new CompositeKeyRequired({
      detail: `The key of ${entity.name} is ${entity.key.filter(name => name !== "version").join(", ")}.`,
      context: { parameter: "id", missing }
    })
  )

const partsGiven = (
  entity: Entity,
  id: Json | undefined,
  scope: JsonObject
): Either.Either<JsonObject, Refused> => {
  if (id === undefined) return Either.right({})
  const open = entity.key.filter(name => !(name in scope))
  const [only] = open
  if (typeof id === "string")
    return open.length === 1 && only !== undefined ? Either.right({ [only]: id }) : incomplete(entity, open)
  if (!isObject(id))
    return Either.left(
      new InvalidIndexerInput({ context: { parameter: "id", expected: "a text or an object of key parts" } })
    )
  const unknown = Object.keys(id).find(name => name !== "version" && !entity.key.includes(name))
  return unknown === undefined
    ? Either.right(id)
    : Either.left(
        new InvalidIndexerInput({
          context: { parameter: "id", member: excerpt(unknown), expected: "a key part" }
        })
      )
}

const agreement = (
  column: Column,
  part: string | number,
  scoped: Json | undefined,
  { chains }: IndexScope
) => {
  const context = { parameter: "id", member: column.name }
  if (scoped !== undefined && scoped !== part) return new ScopeMismatch({ context })
  return column.name === "chainId" && typeof part === "number" && !chains.has(part)
    ? new NetworkMismatch({ context: { ...context, allowed: [...chains] } })
    : undefined
}

/** Every key part, the version included where it is one. */
export const entityKey = (
  entity: Entity,
  id: Json | undefined,
  scope: IndexScope
): Either.Either<Key, Refused> => {
  const scoped = fromScope(scope)
  const given = partsGiven(entity, id, scoped)
  if (Either.isLeft(given)) return Either.left(given.left)
  const parts = given.right
  if ("version" in parts && parts.version !== PROTOCOL_VERSION)
    return Either.left(new VersionFixed({ context: { parameter: "id" } }))
  const missing = entity.key.filter(name => !(name in parts) && !(name in scoped))
  if (missing.length > 0) return incomplete(entity, missing)
  const key: Record<string, string | number> = {}
  for (const name of entity.key) {
    const column = entity.columns.get(name)
    const value = name in parts ? parts[name] : scoped[name]
    if (column === undefined || value === undefined) return incomplete(entity, [name])
    const part = partOf(column, value)
    if (Either.isLeft(part)) return Either.left(part.left)
    const fault = agreement(column, part.right, scoped[name], scope)
    if (fault !== undefined) return Either.left(fault)
    key[name] = part.right
  }
  return Either.right(key)
}
