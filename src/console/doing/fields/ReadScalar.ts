/** One typed text as the value that the service takes, or in words why it is none. */
import { Either } from "effect"
import { isAddress } from "viem"
import { partsOf, secondsOf, spanOf, unitsOf } from "./Exactly.ts"
import type { FieldShape, InputField } from "./InputField.ts"
import { isAmount, type Surroundings, tokenOfUnit } from "./Surroundings.ts"

type NumberShape = Extract<FieldShape, { readonly kind: "number" }>
type WrittenShape = Extract<FieldShape, { readonly kind: "digits" | "text" }>

const refused = (words: string) => Either.left(words)

/** `1000 units` is in the smallest unit whatever the token is, a plain number in whole ones wherever their decimals are known. */
const amountOf = (text: string, decimals: number | undefined): string | undefined => {
  const units = /^([0-9]+) ?units?$/.exec(text)?.[1]
  if (units !== undefined) return unitsOf(units, 0)
  return decimals === undefined ? undefined : unitsOf(text, decimals)
}

/** The digits that were meant by what was typed in the field's own unit. */
const digitsOf = ({ unit }: InputField, text: string, around: Surroundings): string | undefined => {
  if (isAmount(unit)) return amountOf(text, tokenOfUnit(unit, around)?.decimals)
  switch (unit?.kind) {
    case "share":
      return partsOf(text, unit.whole)
    case "duration":
      return spanOf(text)
    case "time":
      return secondsOf(text)
    default:
      return unitsOf(text, 0)
  }
}

/** What is typed wrongly before any rule of the schema is asked. */
const typedWrongly = ({ unit }: InputField, around: Surroundings): string => {
  const token = tokenOfUnit(unit, around)
  if (token !== undefined)
    return `This must be a number such as 1.5, with a point and at most ${token.decimals} decimals.`
  switch (unit?.kind) {
    case "share":
      return `This must be a count of ${unit.whole} parts, or a percentage such as 12.5% that is a whole count of them.`
    case "duration":
      return "This must be a count of seconds, or a time such as 7 days."
    case "time":
      return "This must be a date and time from 1970 on."
    case "token":
    case "decimals":
    case "loan":
      return "The decimals are not known here: type the smallest unit, as in 1000 units."
    default:
      return "This must be digits without a point or separators."
  }
}

const mustBe = ({ rule }: InputField): string => `This must be ${rule}.`

/** A safe integer, or text that no field of numbers takes. */
const numberRead = (field: InputField, shape: NumberShape, text: string, around: Surroundings) => {
  if (!shape.isWhole) {
    const number = Number(text)
    const fits = /^-?[0-9]+(?:\.[0-9]+)?$/.test(text) && number >= shape.least && number <= shape.most
    return fits ? Either.right<unknown>(number) : refused(mustBe(field))
  }
  const digits = /^-[0-9]+$/.test(text) ? text : digitsOf(field, text, around)
  if (digits === undefined) return refused(typedWrongly(field, around))
  const number = Number(digits)
  const fits = Number.isSafeInteger(number) && number >= shape.least && number <= shape.most
  return fits ? Either.right<unknown>(number) : refused(mustBe(field))
}

const fitsText = ({ pattern, shortest, longest }: WrittenShape, text: string): boolean =>
  text.length >= shortest && text.length <= longest && (pattern?.test(text) ?? true)

const UINT256_LIMIT = 1n << 256n

const isOneCase = (hex: string): boolean => hex === hex.toLowerCase() || hex === hex.toUpperCase()

const isCheckedAddress = (text: string): boolean =>
  /^0x[0-9a-fA-F]{40}$/.test(text) && (isOneCase(text.slice(2)) || isAddress(text))

/** Text without a pattern is taken with every space that it has. */
export const scalarRead = (
  field: InputField,
  typed: string,
  around: Surroundings
): Either.Either<unknown, string> => {
  const { shape } = field
  const text = typed.trim()
  switch (shape.kind) {
    case "number":
      return numberRead(field, shape, text, around)
    case "address":
      return isCheckedAddress(text) ? Either.right(text) : refused(mustBe(field))
    case "digits": {
      const digits = digitsOf(field, text, around)
      if (digits === undefined) return refused(typedWrongly(field, around))
      return fitsText(shape, digits) && BigInt(digits) < UINT256_LIMIT
        ? Either.right(digits)
        : refused(mustBe(field))
    }
    case "text": {
      const taken = shape.pattern === undefined ? typed : text
      return fitsText(shape, taken) ? Either.right(taken) : refused(mustBe(field))
    }
    default:
      return refused("Nothing can be typed here.")
  }
}
