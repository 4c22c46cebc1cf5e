/** The JSON Schema of an operation's input, read as the fields of a form. */
import { isRecord } from "effect/Predicate"
import { labelFor, type MemberWords, memberWords } from "../words/MemberWords.ts"
import { ordered } from "../words/OperationWords.ts"
import type { FieldShape, InputField } from "./InputField.ts"

type Json = Readonly<Record<string, unknown>>

const DEEPEST = 12

const record = (value: unknown): Json => (isRecord(value) ? value : {})
const items = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
const count = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise)

const ADDRESS = "^0x[0-9a-fA-F]{40}$"

/** What the generator writes of a shape alone says nothing to people. */
const isBare = (description: string): boolean =>
  /^an? (?:array|string|number|integer|boolean|template literal|record)\b/.test(description)

interface Place {
  readonly definitions: Json
  readonly depth: number
}

/** A reference with what it refers to; what stands beside it goes before. */
const resolved = (schema: Json, { definitions }: Place): { readonly schema: Json; readonly of?: string } => {
  const of = text(schema.$ref)?.replace(/^#\/\$defs\//, "")
  if (of === undefined) return { schema }
  return { schema: { ...record(definitions[of]), ...schema }, of }
}

const textShape = (schema: Json): FieldShape => {
  const source = text(schema.pattern)
  if (source === ADDRESS) return { kind: "address" }
  const pattern = source === undefined ? undefined : new RegExp(source, "u")
  const isDigits = pattern?.test("1") === true && !pattern.test("x") && !pattern.test("0x00")
  const shortest = count(schema.minLength, 0)
  const longest = count(schema.maxLength, Number.POSITIVE_INFINITY)
  return { kind: isDigits ? "digits" : "text", pattern, shortest, longest }
}

const rank = ({ isAside, shape }: InputField): number => (isAside ? 2 : 0) + (shape.kind === "flag" ? 1 : 0)

/** In their own order, what is ticked after what is typed, what is folded away at the end. */
const asShown = (group: string, fields: ReadonlyArray<InputField>): ReadonlyArray<InputField> =>
  [...ordered(group, fields)].sort((one, other) => rank(one) - rank(other))

const groupShape = (schema: Json, of: string, place: Place): FieldShape => {
  const required = items(schema.required)
  const fields = Object.entries(record(schema.properties)).map(([name, member]) =>
    fieldOf(record(member), { group: of, name, isRequired: required.includes(name) }, place)
  )
  return { kind: "group", of, fields: asShown(of, fields) }
}

const listShape = (
  schema: Json,
  { name, item, rows = 0 }: { name: string } & MemberWords,
  place: Place
): FieldShape => {
  const each = record(schema.items)
  const own = fieldOf(each, { group: name, name, isRequired: true, isItem: true }, place)
  return {
    kind: "list",
    item: { ...own, label: item ?? labelFor(name), hint: undefined },
    least: count(schema.minItems, 0),
    most: count(schema.maxItems, Number.POSITIVE_INFINITY),
    isDistinct: schema.uniqueItems === true,
    begun: Math.max(rows, count(schema.minItems, 0))
  }
}

const optionsShape = (values: ReadonlyArray<unknown>): FieldShape =>
  values.length === 1 ? { kind: "fixed", value: values[0] } : { kind: "options", values }

interface Asked {
  readonly group: string
  readonly name: string
  readonly isRequired: boolean
  readonly isItem?: boolean
}

const numberShape = (schema: Json): FieldShape => ({
  kind: "number",
  isWhole: schema.type === "integer",
  least: count(schema.minimum, Number.NEGATIVE_INFINITY),
  most: count(schema.maximum, Number.POSITIVE_INFINITY)
})

const shapeOf = (schema: Json, of: string | undefined, asked: Asked, place: Place): FieldShape => {
  const inner = { ...place, depth: place.depth + 1 }
  const { name } = asked
  const alternatives = items(schema.anyOf ?? schema.oneOf)
  if (place.depth > DEEPEST) return { kind: "fixed", value: null }
  if (alternatives.length > 0)
    return {
      kind: "choice",
      alternatives: alternatives.map(each => alternativeOf(record(each), asked, inner))
    }
  if ("const" in schema) return { kind: "fixed", value: schema.const }
  if (items(schema.enum).length > 0) return optionsShape(items(schema.enum))
  switch (schema.type) {
    case "object":
      return groupShape(schema, of ?? name, inner)
    case "array":
      return listShape(schema, { ...memberWords(asked.group, name), name }, inner)
    case "boolean":
      return { kind: "flag" }
    case "integer":
    case "number":
      return numberShape(schema)
    case "null":
      return { kind: "fixed", value: null }
    default:
      return textShape(schema)
  }
}

const alternativeOf = (schema: Json, asked: Asked, place: Place): InputField => {
  const { schema: whole, of } = resolved(schema, place)
  const field = fieldOf(schema, { ...asked, isRequired: true }, place)
  const label =
    whole.type === "null" ? "None" : (text(whole.description) ?? of ?? String(whole.type ?? "text"))
  return { ...field, label: labelFor(label), hint: undefined }
}

/** A stated start, or what stands for nothing; what is foreseen for the text of a member is not for a list of them. */
const startOf = (words: MemberWords, shape: FieldShape): string | undefined =>
  shape.kind === "text" || shape.kind === "address" || shape.kind === "digits" || shape.kind === "number"
    ? words.start
    : undefined

const fieldOf = (given: Json, asked: Asked, place: Place): InputField => {
  const { group, name, isRequired, isItem = false } = asked
  const { schema, of } = resolved(given, place)
  const words = isItem && schema.type !== "object" ? {} : memberWords(group, name)
  const described = text(schema.description)
  const shape = shapeOf(schema, of, asked, place)
  return {
    name,
    label: words.label ?? labelFor(name),
    hint:
      words.hint ??
      (described === undefined || isBare(described) || of !== undefined ? undefined : described),
    rule: described ?? "of another form",
    shape,
    isRequired,
    fallback: schema.default,
    unit: words.unit,
    empty: isRequired ? words.empty : undefined,
    start: isRequired ? startOf(words, shape) : undefined,
    isAside: !isRequired || words.aside === true
  }
}

/** The whole form of an operation. */
export const formOf = (id: string, inputJsonSchema: Json): InputField =>
  fieldOf(
    { type: "object", ...inputJsonSchema },
    { group: "", name: id, isRequired: true },
    { definitions: record(inputJsonSchema.$defs), depth: 0 }
  )
