/** Makes a GraphQL schema answer from the tables that were made of it. */
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  GraphQLScalarType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type ValueNode
} from "graphql"
import type { Pool } from "pg"
import type { Row } from "./Cursors.ts"
import { type Entity, type Model, modelOf, type Relation } from "./Model.ts"
import { type PageArguments, pageOf } from "./Pages.ts"
import type { RowLoader } from "./Rows.ts"
import { CHECKPOINT, tableOf } from "./Tables.ts"

export interface Context {
  readonly pool: Pool
  readonly schema: string
  readonly load: RowLoader
}

export interface Executable {
  readonly schema: GraphQLSchema
  readonly model: Model
}

type Resolver<A> = GraphQLFieldResolver<Row, Context, A>

/** Fragments are not looked into: a count inside one is never made. */
const isCounted = ({ fieldNodes }: GraphQLResolveInfo): boolean =>
  fieldNodes.some(({ selectionSet }) =>
    selectionSet?.selections.some(node => node.kind === Kind.FIELD && node.name.value === "totalCount")
  )

const linked = (join: Relation["join"], row: Row): Row =>
  Object.fromEntries(join.map(([local, remote]) => [remote, row[local] ?? null]))

const rootOne =
  (entity: Entity): Resolver<Row> =>
  (_, args, { load }) =>
    load(entity, args)

const rootMany =
  (entity: Entity): Resolver<PageArguments> =>
  (_, args, { pool, schema }, info) =>
    pageOf({ pool, schema, entity, held: {}, counted: isCounted(info) }, args)

const relatedOne =
  (target: Entity, { join }: Relation): Resolver<Row> =>
  (row, _, { load }) =>
    load(target, linked(join, row))

const relatedMany =
  (target: Entity, { join }: Relation): Resolver<PageArguments> =>
  (row, args, { pool, schema }, info) =>
    pageOf({ pool, schema, entity: target, held: linked(join, row), counted: isCounted(info) }, args)

interface Checkpoint {
  readonly name: string
  readonly chainId: number
  readonly blockNumber: number
  readonly blockTimestamp: number
}

export const progress = async (pool: Pool, schema: string): Promise<Row> => {
  const { rows } = await pool.query<Checkpoint>(
    `SELECT "name", "chainId", "blockNumber", "blockTimestamp" FROM ${tableOf(schema, CHECKPOINT)} ORDER BY "chainId"::text`
  )
  return Object.fromEntries(
    rows.map(({ name, chainId, blockNumber, blockTimestamp }) => [
      name,
      { id: chainId, block: { number: blockNumber, timestamp: blockTimestamp } }
    ])
  )
}

const numberIn = (value: unknown): bigint =>
  typeof value === "boolean" || typeof value === "number" ? BigInt(value) : BigInt(String(value))

/** As a variable anything that `BigInt` takes, as a literal a quoted string only. */
const bigInts = {
  serialize: (value: unknown) => String(value),
  parseValue: numberIn,
  parseLiteral: (node: ValueNode) => {
    if (node.kind === Kind.STRING) return BigInt(node.value)
    throw new Error(
      `Invalid value kind provided for field of type BigInt: ${node.kind}. Expected: StringValue`
    )
  }
}

const entityNamed = (model: Model, name: string): Entity => {
  const entity = model.get(name)
  if (entity === undefined) throw new Error(`The schema has no entity ${name}.`)
  return entity
}

const answering = <A>(schema: GraphQLSchema, type: string, field: string, resolve: Resolver<A>): void => {
  const owner = schema.getType(type)
  const found = isObjectType(owner) ? owner.getFields()[field] : undefined
  if (found === undefined) throw new Error(`The schema has no ${type}.${field}.`)
  found.resolve = resolve
}

export const executable = (document: DocumentNode): Executable => {
  const schema = buildASTSchema(document)
  const scalar = schema.getType("BigInt")
  if (scalar instanceof GraphQLScalarType) Object.assign(scalar, bigInts)
  const model = modelOf(schema)
  for (const entity of model.values()) {
    answering(schema, "Query", entity.name, rootOne(entity))
    answering(schema, "Query", entity.plural, rootMany(entity))
    for (const relation of entity.relations) {
      const target = entityNamed(model, relation.target)
      if (relation.many) answering(schema, entity.name, relation.name, relatedMany(target, relation))
      else answering(schema, entity.name, relation.name, relatedOne(target, relation))
    }
  }
  answering(schema, "Query", "_meta", () => ({}))
  answering(schema, "Meta", "status", (_row, _args, { pool, schema: place }) => progress(pool, place))
  return { schema, model }
}
