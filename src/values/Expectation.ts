/** What stands where in a value that does not fit its schema, and what should: of a choice, everything that can be chosen. Told from the schema: of the value only the beginning of a text is. */
import { Array, Option, type ParseResult, Predicate, SchemaAST } from "effect"
import { excerpt } from "./Excerpt.ts"

export interface Misfit {
  readonly path: ReadonlyArray<PropertyKey>
  readonly isMissing: boolean
  readonly expected: string
  /** Of what is missing and is to be chosen. */
  readonly choices?: string
}

const LONGEST = 500
const WORD = /^"([A-Za-z0-9_-]+)"$/
const OBJECT = "an object"

const listed = (choices: ReadonlyArray<string>): string => {
  const words = choices.map(choice => choice.replace(WORD, "$1"))
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
}

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  if (SchemaAST.isUndefinedKeyword(ast)) return []
  if (SchemaAST.isLiteral(ast))
    return [typeof ast.literal === "string" ? JSON.stringify(ast.literal) : String(ast.literal)]
  if (!SchemaAST.isUnion(ast)) return undefined
  const members = ast.types.map(literalsOf)
  const known = members.filter(member => member !== undefined)
  return known.length === members.length ? known.flat() : undefined
}

const choicesOf = (ast: SchemaAST.AST): string | undefined => {
  const literals = literalsOf(SchemaAST.encodedAST(ast)) ?? []
  return literals.length > 1 ? listed(literals).slice(0, LONGEST) : undefined
}

/** Everything that can be given, where a schema is a choice; as a member of what tells of it. */
export const choicesIn = (ast: SchemaAST.AST): { readonly choices?: string } => {
  const choices = choicesOf(ast)
  return choices === undefined ? {} : { choices }
}

const isObject = (ast: SchemaAST.AST): boolean => {
  const encoded = SchemaAST.encodedAST(ast)
  return SchemaAST.isUnion(encoded)
    ? encoded.types.every(isObject)
    : SchemaAST.isTypeLiteral(encoded) && encoded.propertySignatures.length > 0
}

const describedIn = (annotated: SchemaAST.Annotated): string | undefined =>
  Option.getOrUndefined(SchemaAST.getDescriptionAnnotation(annotated))

/** Of a type with a name or a rule of its own, what it says of itself. */
const namedIn = (ast: SchemaAST.AST): string | undefined =>
  SchemaAST.isRefinement(ast) || Option.isSome(SchemaAST.getIdentifierAnnotation(ast))
    ? describedIn(ast)
    : undefined

const documentedIn = (ast: SchemaAST.AST): string | undefined => {
  const json = Option.getOrUndefined(SchemaAST.getJSONSchemaAnnotation(ast))
  return Predicate.hasProperty(json, "description") && Predicate.isString(json.description)
    ? json.description
    : undefined
}

const memberForms = ({ types }: SchemaAST.Union): string =>
  [...new Set(types.filter(type => !SchemaAST.isUndefinedKeyword(type)).map(formOf))].join(" or ")

/** What can be given in a place, in words. */
const formOf = (ast: SchemaAST.AST): string => {
  const choices = choicesOf(ast)
  if (choices !== undefined) return choices
  if (isObject(ast)) return OBJECT
  const told = documentedIn(ast) ?? describedIn(ast)
  if (told !== undefined) return told
  if (SchemaAST.isUnion(ast)) return memberForms(ast)
  if (SchemaAST.isTupleType(ast)) return "a list"
  if (SchemaAST.isSuspend(ast)) return formOf(ast.f())
  return SchemaAST.isRefinement(ast) || SchemaAST.isTransformation(ast) ? formOf(ast.from) : String(ast)
}

/** What a schema says for itself; whether in place of what is said of its parts. */
const messageOf = (issue: Exclude<ParseResult.ParseIssue, ParseResult.Pointer>) => {
  if (!("ast" in issue) || issue._tag === "Missing") return undefined
  const told = Option.getOrUndefined(SchemaAST.getMessageAnnotation(issue.ast))?.(issue)
  if (Predicate.isString(told)) return isOfItsParts(issue) ? undefined : told
  if (!Predicate.hasProperty(told, "override") || !Predicate.isString(told.message)) return undefined
  return isOfItsParts(issue) && !told.override ? undefined : told.message
}

const isOfItsParts = (issue: ParseResult.ParseIssue): boolean =>
  issue._tag === "Composite" ||
  (issue._tag === "Refinement" && issue.kind === "From") ||
  (issue._tag === "Transformation" && issue.kind !== "Transformation")

interface Leaf {
  readonly path: ReadonlyArray<PropertyKey>
  readonly words: string
  /** Absent where others than literals were expected. */
  readonly literals?: ReadonlyArray<string> | undefined
  readonly isMissing?: boolean
}

const given = (value: unknown): string => {
  if (Predicate.isString(value)) return JSON.stringify(excerpt(value))
  if (Array.isArray(value)) return "a list"
  return Predicate.isObject(value) ? OBJECT : String(value)
}

const typeExpected = ({ ast, message, actual }: ParseResult.Type, named: string | undefined): string => {
  if (message !== undefined) return message
  if (isObject(ast)) return OBJECT
  const told = named ?? namedIn(ast)
  const ownExpected = SchemaAST.isRefinement(ast) ? formOf(ast) : String(ast)
  return `Expected ${told ?? ownExpected}, actual ${given(actual)}`
}

const missing = ({ ast }: ParseResult.Missing) => ({
  words: describedIn(ast) ?? formOf(ast.type),
  literals: literalsOf(SchemaAST.encodedAST(ast.type)),
  isMissing: true
})

const mistyped = (issue: ParseResult.Type, named: string | undefined) => ({
  words: typeExpected(issue, named),
  literals: issue.message === undefined ? literalsOf(issue.ast) : undefined
})

const stepsOf = ({ path, actual }: ParseResult.Pointer): ReadonlyArray<PropertyKey> =>
  Array.ensure(path).map(step => (Array.isArray(actual) && Predicate.isString(step) ? Number(step) : step))

interface Place {
  readonly path: ReadonlyArray<PropertyKey>
  /** What the outermost type of this place says of itself. */
  readonly named: string | undefined
}

const leavesOf = (issue: ParseResult.ParseIssue, at: Place): ReadonlyArray<Leaf> => {
  const { path } = at
  if (issue._tag === "Pointer")
    return leavesOf(issue.issue, { path: [...path, ...stepsOf(issue)], named: undefined })
  const words = messageOf(issue)
  if (words !== undefined) return [{ path, words }]
  switch (issue._tag) {
    case "Missing":
      return [{ path, ...missing(issue) }]
    case "Type":
      return [{ path, ...mistyped(issue, at.named) }]
    case "Unexpected":
    case "Forbidden":
      return [{ path, words: issue.message ?? "is unexpected" }]
    default: {
      if (Array.isArray(issue.actual) && isObject(issue.ast)) return [{ path, words: OBJECT }]
      const named = at.named ?? namedIn(issue.ast)
      const parts = issue._tag === "Composite" ? Array.ensure(issue.issues) : [issue.issue]
      return parts.flatMap(part => leavesOf(part, { path, named }))
    }
  }
}

/** Everything that can be chosen in a place, where each of its ways is a choice. */
const allOf = (leaves: ReadonlyArray<Leaf>): string | undefined => {
  const choices = leaves.map(({ literals }) => literals).filter(literals => literals?.length !== 0)
  const all = [...new Set(choices.flatMap(literals => literals ?? []))]
  return all.length > 1 && !choices.includes(undefined) ? listed(all) : undefined
}

const MISSING = "; it is missing"

const missingWords = (told: string): string => excerpt(told, LONGEST - MISSING.length) + MISSING

const keyOf = ({ path }: Leaf): string => path.map(String).join("\n")

/** The first place that does not fit. */
export const misfitOf = ({ issue }: ParseResult.ParseError): Misfit => {
  const leaves = leavesOf(issue, { path: [], named: undefined })
  const [first = { path: [], words: "" }] = leaves
  const choices = allOf(leaves.filter(leaf => keyOf(leaf) === keyOf(first)))
  const { path, words, isMissing = false } = first
  const told = choices ?? words
  return isMissing
    ? { path, isMissing, expected: missingWords(told), ...(choices && { choices }) }
    : { path, isMissing, expected: excerpt(told, LONGEST) }
}
