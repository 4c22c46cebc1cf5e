/** The rows of each entity as a schema, for the description of the API. */
import { Schema } from "effect"
import { type Column, type Entity, entities, identityOf, identityRelationsOf } from "./Entities.ts"
import { Json } from "./IndexerSchemas.ts"

const WideInteger = Schema.String.pipe(Schema.pattern(/^-?[0-9]+$/)).annotations({
  identifier: "IndexerInteger",
  description: "a decimal string, wider than JSON numbers carry exactly"
})

const single = ({ base, name, members }: Column): Schema.Schema.AnyNoContext => {
  switch (base) {
    case "Int":
      return name === "projectId" ? WideInteger : Schema.Int
    case "BigInt":
      return WideInteger
    case "Boolean":
      return Schema.Boolean
    case "JSON":
      return Json
    case "Enum":
      return Schema.Literal(...members.keys())
    default:
      return Schema.String
  }
}

const valueOf = (column: Column): Schema.Schema.AnyNoContext => {
  const value = column.list ? Schema.Array(single(column)) : single(column)
  return column.nullable ? Schema.NullOr(value) : value
}

export const rowName = (name: string) =>
  `${name.replace(/^_/, "").replace(/^./, first => first.toUpperCase())}Row`

const related = (name: string): Schema.Schema.AnyNoContext =>
  Schema.suspend((): Schema.Schema.AnyNoContext => rowSchemas.get(name) ?? Json).annotations({
    identifier: rowName(name)
  })

const rowSchema = (entity: Entity): Schema.Schema.AnyNoContext => {
  const certain = new Set([...identityOf(entity), ...identityRelationsOf(entity)])
  const member = (name: string, value: Schema.Schema.AnyNoContext) =>
    [name, certain.has(name) ? value : Schema.optionalWith(value, { exact: true })] as const
  const scalars = [...entity.columns.values()]
    .filter(({ hidden }) => !hidden)
    .map(column => member(column.name, valueOf(column)))
  const relations = Object.entries(entity.facts.relations ?? {}).map(([name, target]) =>
    member(name, certain.has(name) ? related(target) : Schema.NullOr(related(target)))
  )
  return Schema.Struct(Object.fromEntries([...scalars, ...relations])).annotations({
    identifier: rowName(entity.name),
    description: `The selected fields of ${entity.name}; its identity is always among them.`
  })
}

export const rowSchemas: ReadonlyMap<string, Schema.Schema.AnyNoContext> = new Map(
  entities.map(entity => [entity.name, rowSchema(entity)])
)
