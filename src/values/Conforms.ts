/** Whether a value already is what its schema would make of it, found without an allocation; "no" only means that the schema has to be asked; and its text where it never changes. */
import { Either, Option, ParseResult, Schema, SchemaAST } from "effect"

type Check = (value: unknown) => boolean

/** Whether members that a schema does not name are no matter. */
type Further = "refused" | "ignored"

const all = (
  checks: ReadonlyArray<readonly [PropertyKey, Check]>,
  optional: ReadonlySet<PropertyKey>,
  further: Further
): Check => {
  const passed = new WeakSet()
  return value => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false
    if (passed.has(value)) return true
    let known = 0
    for (const [name, check] of checks) {
      const member: unknown = Reflect.get(value, name)
      if (member === undefined && optional.has(name) && !(name in value)) continue
      if (!check(member)) return false
      known += 1
    }
    const isFit = further === "ignored" || Object.keys(value).length === known
    if (isFit && isLasting(value)) passed.add(value)
    return isFit
  }
}

const struct = (ast: SchemaAST.TypeLiteral, further: Further): Check | undefined => {
  const isEmpty = ast.propertySignatures.length === 0
  if (ast.indexSignatures.length > 0 || (isEmpty && further === "ignored")) return undefined
  const checks: Array<readonly [PropertyKey, Check]> = []
  for (const { name, type } of ast.propertySignatures) {
    const check = checkOf(type, further)
    if (check === undefined) return undefined
    checks.push([name, check])
  }
  const optional = ast.propertySignatures.filter(({ isOptional }) => isOptional)
  return all(checks, new Set(optional.map(({ name }) => name)), further)
}

const tuple = (elements: ReadonlyArray<SchemaAST.OptionalType>, further: Further): Check | undefined => {
  const checks: Array<Check> = []
  for (const { type, isOptional } of elements) {
    const check = isOptional ? undefined : checkOf(type, further)
    if (check === undefined) return undefined
    checks.push(check)
  }
  return value =>
    Array.isArray(value) && value.length === checks.length && checks.every((check, at) => check(value[at]))
}

const array = (ast: SchemaAST.TupleType, further: Further): Check | undefined => {
  const [rest, behind] = ast.rest
  if (rest === undefined) return tuple(ast.elements, further)
  if (ast.elements.length > 0 || behind !== undefined) return undefined
  const item = checkOf(rest.type, further)
  return item && (value => Array.isArray(value) && value.every(item))
}

const union = (ast: SchemaAST.Union, further: Further): Check | undefined => {
  const checks = ast.types.map(type => checkOf(type, further))
  return checks.includes(undefined) ? undefined : value => checks.some(check => check?.(value))
}

const refinement = (ast: SchemaAST.Refinement, further: Further): Check | undefined => {
  const from = checkOf(ast.from, further)
  return from && (value => from(value) && Option.isNone(ast.filter(value, SchemaAST.defaultParseOption, ast)))
}

/** None for what transforms, recurses or has a form that no record of ours has. */
const checkOf = (ast: SchemaAST.AST, further: Further): Check | undefined => {
  switch (ast._tag) {
    case "StringKeyword":
      return value => typeof value === "string"
    case "NumberKeyword":
      return value => typeof value === "number"
    case "BooleanKeyword":
      return value => typeof value === "boolean"
    case "UndefinedKeyword":
      return value => value === undefined
    case "AnyKeyword":
    case "UnknownKeyword":
      return () => true
    case "Literal":
      return value => value === ast.literal
    case "TemplateLiteral": {
      const pattern = SchemaAST.getTemplateLiteralRegExp(ast)
      return value => typeof value === "string" && pattern.test(value)
    }
    case "TypeLiteral":
      return struct(ast, further)
    case "TupleType":
      return array(ast, further)
    case "Union":
      return union(ast, further)
    case "Refinement":
      return refinement(ast, further)
    default:
      return undefined
  }
}

type Parse<A, B> = (value: A) => Either.Either<B, ParseResult.ParseError>

/** Made when it is first asked: a process has many, and uses few. */
const whenAsked = <A, B>(make: () => Parse<A, B>): Parse<A, B> => {
  let made: Parse<A, B> | undefined
  return value => {
    made ??= make()
    return made(value)
  }
}

const conformsTo = <A, I>(
  schema: Schema.Schema<A, I>,
  further: Further = "refused"
): ((value: unknown) => value is A) | undefined => {
  const check = checkOf(schema.ast, further)
  return check && ((value): value is A => check(value))
}

/** `Schema.encodeEither`, at a tenth of its cost for a value that needs no change. */
export const encoder: <A, I>(schema: Schema.Schema<A, I>) => Parse<A, unknown> = schema =>
  encoderOfAny(schema)

/** The same where the value's type is held elsewhere. */
export const encoderOfAny = <A, I>(schema: Schema.Schema<A, I>): Parse<unknown, unknown> =>
  whenAsked(() => {
    const conforms = conformsTo(schema)
    const encode = Schema.encodeUnknownEither(schema)
    if (conforms === undefined) return encode
    return value => (conforms(value) ? Either.right<unknown>(value) : encode(value))
  })

/** A union makes text of what should be its tag, which throws for an object whose own `toString` is no function. */
const decodeAnything = <A, I>(schema: Schema.Schema<A, I>): Parse<unknown, A> => {
  const decode = Schema.decodeUnknownEither(schema)
  return value => {
    try {
      return decode(value)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return Either.left(new ParseResult.ParseError({ issue: new ParseResult.Type(schema.ast, value) }))
    }
  }
}

/** `Schema.decodeUnknownEither` in the same way. */
export const decoder = <A, I>(schema: Schema.Schema<A, I>): Parse<unknown, A> =>
  whenAsked(() => {
    const conforms = conformsTo(schema)
    const decode = decodeAnything(schema)
    if (conforms === undefined) return decode
    return value => (conforms(value) ? Either.right(value) : decode(value))
  })

/** Decodes the columns that the schema names; what else a statement selected is no matter. */
export const rowDecoder = <Fields extends Schema.Struct.Fields, A, I>(
  schema: Schema.Schema<A, I> & { readonly fields: Fields }
): Parse<unknown, A> => {
  const decode = decoder(schema)
  const columns = Object.keys(schema.fields)
  return row => decode(Object.fromEntries(columns.map(column => [column, Reflect.get(Object(row), column)])))
}

/** `Schema.is` in the same way, for schemas without a transformation. */
export const fits = <A>(schema: Schema.Schema<A>): ((value: unknown) => value is A) =>
  conformsTo(schema, "ignored") ?? Schema.is(schema)

/** The JSON texts of values that never change, made when they are first asked for and then kept. */
const texts = new WeakMap<object, string | undefined>()

/** Says that a value will never change, in any of its members. */
export const lasting = <A extends object>(value: A): A => {
  texts.set(value, undefined)
  return value
}

const isLasting = (value: object): boolean => texts.has(value)

const textOf = (value: unknown): string | undefined => {
  if (typeof value !== "object" || value === null || !texts.has(value)) return JSON.stringify(value)
  const text = texts.get(value) ?? JSON.stringify(value)
  texts.set(value, text)
  return text
}

const listText = (values: ReadonlyArray<unknown>): string =>
  `[${values.map(value => textOf(value) ?? "null").join(",")}]`

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** `JSON.stringify` of a record whose members, or their elements, may be lasting. */
export const lastingJson = (value: unknown): string => {
  if (!isPlainObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = Array.isArray(member) ? listText(member) : textOf(member)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${members.join(",")}}`
}
