/** The entities of the source, read from its GraphQL schema: columns, keys and relations. */
import {
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType
} from "graphql"
import { type Join, joinOf } from "./Joins.ts"

export interface Column {
  readonly name: string
  /** `Int`, `BigInt`, `String`, `Boolean`, `JSON` or the name of an enum. */
  readonly type: string
  /** Of an enum, in its order; empty otherwise. */
  readonly members: ReadonlyArray<string>
  readonly list: boolean
  readonly nullable: boolean
  /** Stored in lower case; whoever asks for equals, members or keys may use any case. */
  readonly hex: boolean
}

export interface Relation {
  readonly name: string
  readonly target: string
  readonly many: boolean
  /** Columns of the row that has the relation, and of the target. */
  readonly join: Join
}

export interface Entity {
  readonly name: string
  readonly plural: string
  readonly columns: ReadonlyMap<string, Column>
  readonly key: ReadonlyArray<string>
  readonly relations: ReadonlyArray<Relation>
}

export type Model = ReadonlyMap<string, Entity>

type FilterFields = Readonly<Record<string, { readonly type: GraphQLInputType }>>

/** The schema does not tell them from other texts. */
const HEX_LISTS: ReadonlySet<string> = new Set(["suckerGroup.addresses"])

/** Nor does it say of a column behind a relation that it is never null. */
const NEVER_NULL: ReadonlySet<string> = new Set(["suckerGroup.projects"])

const isPage = (name: string): boolean => name.endsWith("Page")

const isColumn = (type: GraphQLOutputType): boolean => !isObjectType(getNamedType(type))

const columnOf = (
  entity: string,
  name: string,
  type: GraphQLOutputType | GraphQLInputType,
  filters: FilterFields,
  key: ReadonlyArray<string>
): Column => {
  const named = getNamedType(type)
  return {
    name,
    type: named.name,
    members: isEnumType(named) ? named.getValues().map(member => member.name) : [],
    list: isListType(getNullableType(type)),
    nullable: !isNonNullType(type) && !key.includes(name) && !NEVER_NULL.has(`${entity}.${name}`),
    hex:
      HEX_LISTS.has(`${entity}.${name}`) ||
      (`${name}_contains` in filters && !(`${name}_contains_nocase` in filters))
  }
}

/** A column behind a relation of its name shows in the filters alone. */
const columnsOf = (type: GraphQLObjectType, filters: FilterFields, key: ReadonlyArray<string>) => {
  const fields = Object.values(type.getFields()).filter(field => isColumn(field.type))
  const shown = new Set(fields.map(({ name }) => name))
  const hidden = Object.entries(filters).filter(([name]) => `${name}_not` in filters && !shown.has(name))
  return [
    ...fields.map(field => columnOf(type.name, field.name, field.type, filters, key)),
    ...hidden.map(([name, { type: kind }]) => columnOf(type.name, name, kind, filters, key))
  ]
}

const filtersOf = (schema: GraphQLSchema, entity: string): FilterFields => {
  const type = schema.getType(`${entity}Filter`)
  return isInputObjectType(type) ? type.getFields() : {}
}

const entityTypes = (schema: GraphQLSchema): ReadonlyArray<GraphQLObjectType> =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => schema.getType(`${name}Filter`) !== undefined)

const referenceOf = (holder: GraphQLObjectType, target: string): string => {
  const found = Object.values(holder.getFields()).filter(({ type }) => getNamedType(type).name === target)
  const [only] = found
  if (only === undefined || found.length > 1) throw new Error(`${holder.name} names no single ${target}.`)
  return only.name
}

const relationsOf = (
  type: GraphQLObjectType,
  types: ReadonlyMap<string, GraphQLObjectType>
): ReadonlyArray<Relation> =>
  Object.values(type.getFields())
    .filter(field => !isColumn(field.type))
    .map(field => {
      const named = getNamedType(field.type).name
      if (!isPage(named))
        return { name: field.name, target: named, many: false, join: joinOf(type.name, field.name, named) }
      const target = named.slice(0, -"Page".length)
      const holder = types.get(target)
      if (holder === undefined) throw new Error(`${type.name}.${field.name} leads nowhere.`)
      const join = joinOf(target, referenceOf(holder, type.name), type.name)
      return {
        name: field.name,
        target,
        many: true,
        join: join.map(([local, remote]) => [remote, local] as const)
      }
    })

export const modelOf = (schema: GraphQLSchema): Model => {
  const roots = schema.getQueryType()?.getFields() ?? {}
  const types = new Map(entityTypes(schema).map(type => [type.name, type]))
  const entities = [...types.values()].map((type): Entity => {
    const key = (roots[type.name]?.args ?? []).map(({ name }) => name)
    const columns = columnsOf(type, filtersOf(schema, type.name), key)
    return {
      name: type.name,
      plural: `${type.name}s`,
      columns: new Map(columns.map(column => [column.name, column])),
      key,
      relations: relationsOf(type, types)
    }
  })
  return new Map(entities.map(entity => [entity.name, entity]))
}
