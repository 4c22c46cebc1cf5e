/** What the source refuses to parse or to execute because of its size. */
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  Lexer,
  parse,
  type SelectionSetNode,
  Source,
  TokenKind,
  visit
} from "graphql"

const TOKENS = 1000
const ALIASES = 30
const DEPTH = 100

const refuse = (message: string): never => {
  throw new GraphQLError(`Syntax Error: ${message}`)
}

const countTokens = (text: string): void => {
  const lexer = new Lexer(new Source(text))
  for (let count = 1; lexer.advance().kind !== TokenKind.EOF; count++)
    if (count > TOKENS) refuse(`Token limit of ${TOKENS} exceeded.`)
}

const countAliases = (document: DocumentNode): void => {
  let count = 0
  visit(document, {
    Field: node => {
      if (node.alias !== undefined) count++
    }
  })
  if (count > ALIASES) refuse(`Aliases limit of ${ALIASES} exceeded, found ${count}.`)
}

const fragmentsOf = (document: DocumentNode): ReadonlyMap<string, SelectionSetNode> =>
  new Map(
    document.definitions.flatMap(node =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node.selectionSet] as const] : []
    )
  )

const depthOf = (
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, SelectionSetNode>,
  inside: ReadonlyArray<string>
): number => {
  const depths = set.selections.map(node => {
    if (node.kind === Kind.FIELD)
      return 1 + (node.selectionSet === undefined ? 0 : depthOf(node.selectionSet, fragments, inside))
    if (node.kind === Kind.INLINE_FRAGMENT) return depthOf(node.selectionSet, fragments, inside)
    const name = node.name.value
    const fragment = inside.includes(name) ? undefined : fragments.get(name)
    return fragment === undefined ? 0 : depthOf(fragment, fragments, [...inside, name])
  })
  return Math.max(0, ...depths)
}

const measureDepth = (document: DocumentNode): void => {
  const fragments = fragmentsOf(document)
  const sets = document.definitions.flatMap(node =>
    node.kind === Kind.OPERATION_DEFINITION ? [node.selectionSet] : []
  )
  const depth = Math.max(0, ...sets.map(set => depthOf(set, fragments, [])))
  if (depth > DEPTH) refuse(`Query depth limit of ${DEPTH} exceeded, found ${depth}.`)
}

/** Variables are not counted. */
export const parseLimited = (text: string): DocumentNode => {
  countTokens(text)
  const document = parse(text)
  countAliases(document)
  measureDepth(document)
  return document
}
