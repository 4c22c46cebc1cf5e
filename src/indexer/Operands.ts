/** Values that filters and keys compare with, each as its column takes it. */
import { Either } from "effect"
import type { RefusalContext } from "../values/Refusal.ts"
import type { Column } from "./Entities.ts"
import type { Json } from "./IndexerSchemas.ts"
import { isInt32, isPlainText, LIMITS } from "./Limits.ts"
import { isProjectId } from "./ProjectIds.ts"
import { InvalidIndexerInput, UnsafeInteger } from "./refusals.ts"

export type Operand = Either.Either<Json, InvalidIndexerInput | UnsafeInteger>

const wrong = (name: string, expected: string): Operand =>
  Either.left(new InvalidIndexerInput({ context: { member: name, expected } }))

const unsafe = (name: string, bound: RefusalContext): Operand =>
  Either.left(new UnsafeInteger({ context: { member: name, ...bound } }))

const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/
const WIDE = /^(?:0|-?[1-9][0-9]{0,99})$/

const integer = (column: Column, value: Json): Operand => {
  const { name } = column
  const number =
    name === "projectId" && typeof value === "string" && DECIMAL.test(value) ? Number(value) : value
  if (typeof number !== "number" || !Number.isInteger(number)) return wrong(name, "an integer")
  if (isInt32(number)) return Either.right(number)
  if (!isProjectId(column)) return unsafe(name, { expected: "an integer of 32 bits" })
  return Number.isSafeInteger(number)
    ? Either.right(number)
    : unsafe(name, { maximum: Number.MAX_SAFE_INTEGER })
}

/** Decimal of at most 100 digits in one spelling. */
export const isWideInteger = (value: unknown): value is string =>
  typeof value === "string" && WIDE.test(value)

/** The source keeps bytes in lower case and compares patterns as they are. */
const text = ({ name, base }: Column, value: Json): Operand => {
  if (typeof value !== "string" || !isPlainText(value, LIMITS.maxInputString))
    return wrong(name, `a text of at most ${LIMITS.maxInputString} bytes without NUL`)
  return Either.right(base === "Hex" ? value.toLowerCase() : value)
}

const member = ({ name, members }: Column, value: Json): Operand => {
  const source = typeof value === "string" ? members.get(value) : undefined
  return source === undefined ? wrong(name, `one of ${[...members.keys()].join(", ")}`) : Either.right(source)
}

/** One value that is not null. */
export const operandOf = (column: Column, value: Json): Operand => {
  switch (column.base) {
    case "Int":
      return integer(column, value)
    case "BigInt":
      return isWideInteger(value)
        ? Either.right(value)
        : wrong(column.name, "a decimal string of at most 100 digits")
    case "Boolean":
      return typeof value === "boolean" ? Either.right(value) : wrong(column.name, "a boolean")
    case "Enum":
      return member(column, value)
    default:
      return text(column, value)
  }
}

export const operandsOf = (column: Column, value: Json, least: number): Operand => {
  if (!Array.isArray(value) || value.length < least || value.length > LIMITS.maxFilterArray)
    return wrong(column.name, `an array of ${least} to ${LIMITS.maxFilterArray} values`)
  return Either.all(value.map(item => operandOf(column, item)))
}
