/** Compares what a source says of its schema with the pinned one. */
import { Option, Schema } from "effect"
import { type Column, type Entity, entities } from "./Entities.ts"
import type { Lacking } from "./Lacking.ts"

interface TypeRef {
  readonly name: string | null
  readonly ofType?: TypeRef | null | undefined
}

const TypeRef: Schema.Schema<TypeRef> = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  ofType: Schema.optional(Schema.NullOr(Schema.suspend(() => TypeRef)))
})

const Named = Schema.Struct({ name: Schema.String })

const Introspected = Schema.Struct({
  __schema: Schema.Struct({
    queryType: Named,
    types: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        fields: Schema.NullOr(Schema.Array(Schema.Struct({ name: Schema.String, type: TypeRef }))),
        inputFields: Schema.NullOr(Schema.Array(Named))
      })
    )
  })
})

type Fields = ReadonlyMap<string, string>

const NO_FIELDS: Fields = new Map()

const namedType = ({ name, ofType }: TypeRef): string =>
  name ?? (ofType === null || ofType === undefined ? "" : namedType(ofType))

const SOURCE_TYPES: Readonly<Record<Column["base"], string>> = {
  Int: "Int",
  BigInt: "BigInt",
  String: "String",
  Hex: "String",
  Boolean: "Boolean",
  JSON: "JSON",
  Enum: ""
}

const isServed = (fields: Fields, { source, base }: Column): boolean => {
  const type = fields.get(source)
  return type !== undefined && (base === "Enum" || type === SOURCE_TYPES[base])
}

const relationsOf = ({ facts }: Entity) =>
  Object.keys(facts.relations ?? {}).map(name => ({ name, source: facts.renamed?.[name] ?? name }))

const lackingFields = (entity: Entity, fields: Fields): ReadonlyArray<string> => [
  ...[...entity.columns.values()]
    .filter(column => !column.hidden && !isServed(fields, column))
    .map(({ name }) => name),
  ...relationsOf(entity)
    .filter(({ source }) => !fields.has(source))
    .map(({ name }) => name)
]

const mapped = (types: (typeof Introspected.Type)["__schema"]["types"]) => ({
  outputs: new Map(
    types.map(({ name, fields }) => [
      name,
      new Map((fields ?? []).map(field => [field.name, namedType(field.type)]))
    ])
  ),
  inputs: new Map(
    types.map(({ name, inputFields }) => [name, new Set((inputFields ?? []).map(field => field.name))])
  )
})

/** None where the answer is no introspection. */
export const lackingFrom = (data: unknown): Option.Option<Lacking> =>
  Option.map(Schema.decodeUnknownOption(Introspected)(data), ({ __schema: schema }) => {
    const { outputs, inputs } = mapped(schema.types)
    const roots = outputs.get(schema.queryType.name) ?? NO_FIELDS
    const served = entities.filter(
      ({ one, many, filter }) => roots.get(one) === one && roots.has(many) && inputs.has(filter)
    )
    const names = new Set(served.map(({ name }) => name))
    return {
      entities: new Set(entities.map(({ name }) => name).filter(name => !names.has(name))),
      fields: new Set(
        served.flatMap(entity =>
          lackingFields(entity, outputs.get(entity.one) ?? NO_FIELDS).map(name => `${entity.name}.${name}`)
        )
      ),
      filters: new Set(
        served.flatMap(entity =>
          [...entity.filters]
            .filter(([, { source }]) => inputs.get(entity.filter)?.has(source) !== true)
            .map(([key]) => `${entity.name}.${key}`)
        )
      )
    }
  })
