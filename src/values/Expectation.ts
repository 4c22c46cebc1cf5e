/** What stands where in a value that does not fit its schema, and what should: of a choice, everything that can be chosen. */
import { Array, ParseResult, SchemaAST } from "effect"
import { excerpt } from "./Excerpt.ts"

export interface Misfit {
  readonly path: ReadonlyArray<PropertyKey>
  readonly isMissing: boolean
  readonly expected: string
  /** Of what is missing and is to be chosen. */
  readonly choices?: string
}

const LONGEST = 500
const EXPECTED = /^Expected (.+), actual /s
const LITERAL = /^(?:"(?:[^"\\]|\\.)*"|-?[0-9]+|true|false|null)$/
const WORD = /^"([A-Za-z0-9_-]+)"$/

/** The literals that a sentence names, none where it names something else. */
const choicesOf = (message: string): ReadonlyArray<string> => {
  const named = EXPECTED.exec(message)?.[1]?.split(" | ") ?? []
  return named.every(name => LITERAL.test(name)) ? named : []
}

const isAbsence = (message: string) => message.startsWith("Expected undefined, ")

const listed = (choices: ReadonlyArray<string>): string => {
  const words = choices.map(choice => choice.replace(WORD, "$1"))
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
}

const expectedIn = (messages: ReadonlyArray<string>): string => {
  const choices = messages.filter(message => !isAbsence(message)).map(choicesOf)
  const all = [...new Set(choices.flat())]
  return all.length > 1 && choices.every(some => some.length > 0) ? listed(all) : (messages[0] ?? "")
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

/** Everything that can be given, where a schema is a choice; as a member of what tells of it. */
export const choicesIn = (ast: SchemaAST.AST): { readonly choices?: string } => {
  const literals = literalsOf(SchemaAST.encodedAST(ast)) ?? []
  return literals.length > 1 ? { choices: listed(literals).slice(0, LONGEST) } : {}
}

const firstLeaf = (issue: ParseResult.ParseIssue): ParseResult.ParseIssue => {
  if (issue._tag === "Composite") return firstLeaf(Array.ensure(issue.issues)[0] ?? issue)
  return "issue" in issue ? firstLeaf(issue.issue) : issue
}

const missingChoices = ({ issue }: ParseResult.ParseError) => {
  const leaf = firstLeaf(issue)
  return leaf._tag === "Missing" ? choicesIn(leaf.ast.type) : {}
}

/** The first place that does not fit. */
export const misfitOf = (error: ParseResult.ParseError): Misfit => {
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
  const [first] = issues
  const path = first?.path ?? []
  const at = path.map(String).join("\n")
  const here = issues.filter(issue => issue.path.map(String).join("\n") === at)
  return {
    path,
    isMissing: first?._tag === "Missing",
    expected: excerpt(expectedIn(here.map(({ message }) => message)), LONGEST),
    ...missingChoices(error)
  }
}
