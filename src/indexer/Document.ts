/** The text of queries, made of catalogued names only; what callers give travels in variables. */
import type { Column, Entity } from "./Entities.ts"
import type { Selection } from "./Selection.ts"

export interface SourceQuestion {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

const named = (own: string, source: string) => (own === source ? own : `${own}:${source}`)

const selected = ({ entity, scalars, relations }: Selection): string => {
  const { renamed = {} } = entity.facts
  const plain = [...scalars].map(name => named(name, renamed[name] ?? name))
  const inner = [...relations].map(
    ([name, selection]) => `${named(name, renamed[name] ?? name)}{${selected(selection)}}`
  )
  return [...plain, ...inner].join(" ")
}

const PAGE_INFO = "pageInfo{hasNextPage hasPreviousPage startCursor endCursor}"

export interface ListVariables {
  readonly where: unknown
  /** The rows that the walk's other phase has, of which only the count is asked. */
  readonly rest?: unknown
  readonly orderBy?: string | undefined
  readonly orderDirection?: string | undefined
  readonly after?: string | undefined
  readonly limit: number
}

/** Absent variables are left out: the source takes null for a column's name. */
export const listQuestion = (selection: Selection, asked: ListVariables): SourceQuestion => {
  const { many, filter } = selection.entity
  const types = {
    where: filter,
    rest: filter,
    orderBy: "String",
    orderDirection: "String",
    after: "String",
    limit: "Int"
  }
  const variables = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  const declared = Object.entries(types).filter(([name]) => name in variables)
  const given = declared.filter(([name]) => name !== "rest").map(([name]) => `${name}:$${name}`)
  const rest = "rest" in variables ? ` rest:${many}(where:$rest,limit:1){totalCount}` : ""
  const head = declared.map(([name, type]) => `$${name}:${type}`).join(",")
  return {
    query: `query(${head}){page:${many}(${given.join(",")}){items{${selected(selection)}} totalCount ${PAGE_INFO}}${rest}}`,
    variables
  }
}

const argumentType = ({ base }: Column) =>
  base === "Int" ? "Float!" : base === "BigInt" ? "BigInt!" : "String!"

const keyColumns = ({ key, columns }: Entity) => key.flatMap(name => columns.get(name) ?? [])

export const recordQuestion = (
  selection: Selection,
  key: Readonly<Record<string, string | number>>
): SourceQuestion => {
  const columns = keyColumns(selection.entity)
  const head = columns.map(column => `$${column.source}:${argumentType(column)}`).join(",")
  const given = columns.map(({ source }) => `${source}:$${source}`).join(",")
  return {
    query: `query(${head}){row:${selection.entity.one}(${given}){${selected(selection)}}}`,
    variables: Object.fromEntries(columns.map(({ name, source }) => [source, key[name]]))
  }
}

export const STATUS_QUESTION: SourceQuestion = { query: "{_meta{status}}", variables: {} }

export const SCHEMA_QUESTION: SourceQuestion = {
  query:
    "{__schema{queryType{name} types{name fields{name type{...T}} inputFields{name}}}} fragment T on __Type{name ofType{name ofType{name ofType{name}}}}",
  variables: {}
}
