/** The third form: the facts of the indexed source, as pinned data and as declarations. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Schema } from "effect"
import { sha256 } from "../../src/catalog/Abi.ts"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { declarationsFile } from "./Declarations.ts"

const Field = Schema.Struct({
  name: Schema.String,
  graphqlType: Schema.String,
  kind: Schema.Literal("scalar", "enum", "json", "relation", "relation-list"),
  namedType: Schema.String,
  column: Schema.optional(Schema.Struct({ hex: Schema.Boolean })),
  notInUpstreamSnapshot: Schema.optional(Schema.Boolean)
})

const Relation = Schema.Struct({
  field: Schema.String,
  graphqlEntity: Schema.String,
  entity: Schema.NullOr(Schema.String),
  ambiguousMissingKeyParts: Schema.optional(Schema.Array(Schema.String))
})

const Fact = Schema.Struct({
  entity: Schema.String,
  graphqlSingular: Schema.String,
  primaryKey: Schema.Array(Schema.String),
  fields: Schema.Array(Field),
  singularRelations: Schema.Array(Relation),
  listRelations: Schema.Array(Schema.Struct({ field: Schema.String, entity: Schema.NullOr(Schema.String) })),
  shadowedColumns: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      sqlType: Schema.String,
      notNull: Schema.Boolean,
      hex: Schema.Boolean
    })
  ),
  absentInOlderSources: Schema.optional(Schema.Boolean)
})
type Fact = typeof Fact.Type

const Names = Schema.Record({ key: Schema.String, value: Schema.String })
const Facts = Schema.Struct({
  nameMap: Schema.Struct({ entities: Names, fields: Names, enumValues: Names }),
  enums: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }),
  entities: Schema.Array(Fact)
})
type Facts = typeof Facts.Type

const typeText = (field: typeof Field.Type): string =>
  field.column?.hex === true ? field.graphqlType.replace("String", "Hex") : field.graphqlType

const hiddenType = (column: Fact["shadowedColumns"][number]): string => {
  const base = column.hex ? "Hex" : "String"
  const type = column.sqlType.endsWith("[]") ? `[${base}!]` : base
  return column.notNull ? `${type}!` : type
}

/** Own names for those of the source, from the map that the facts state. */
const renaming = (facts: Facts, entity: string) => {
  const own = new Map(
    Object.entries(facts.nameMap.fields)
      .filter(([name]) => name.startsWith(`${entity}.`))
      .map(([name, source]) => [source, name.slice(entity.length + 1)])
  )
  return {
    ours: (source: string) => own.get(source) ?? source,
    renamed: Object.fromEntries([...own].map(([source, name]) => [name, source]))
  }
}

const record = <A>(items: ReadonlyArray<readonly [string, A]>) =>
  items.length === 0 ? undefined : Object.fromEntries(items)

const nonEmpty = <A extends object>(value: A | undefined) =>
  value !== undefined && Object.keys(value).length > 0 ? value : undefined

const present = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

const recentOf = (fact: Fact, ours: (source: string) => string) => {
  if (fact.absentInOlderSources === true) return "all"
  const names = fact.fields
    .filter(field => field.notInUpstreamSnapshot === true)
    .map(({ name }) => ours(name))
  return names.length === 0 ? undefined : names
}

const declarationOf = (facts: Facts, fact: Fact) => {
  const { ours, renamed } = renaming(facts, fact.entity)
  const columns = fact.fields.filter(({ kind }) => kind === "scalar" || kind === "enum" || kind === "json")
  const isRefused = (relation: typeof Relation.Type) =>
    relation.entity === null || relation.ambiguousMissingKeyParts !== undefined
  const singular = fact.singularRelations
  return present({
    name: fact.entity,
    source: fact.graphqlSingular === fact.entity ? undefined : fact.graphqlSingular,
    key: fact.primaryKey,
    fields: Object.fromEntries(columns.map(field => [ours(field.name), typeText(field)])),
    hidden: record(fact.shadowedColumns.map(column => [ours(column.name), hiddenType(column)])),
    relations: record(
      singular.filter(one => !isRefused(one)).map(one => [ours(one.field), one.entity ?? ""])
    ),
    refused: record(
      singular
        .filter(isRefused)
        .map(one => [
          ours(one.field),
          { entity: one.entity ?? one.graphqlEntity, lacks: one.ambiguousMissingKeyParts ?? [] }
        ])
    ),
    lists: record(fact.listRelations.map(many => [ours(many.field), many.entity ?? ""])),
    renamed: nonEmpty(renamed),
    recent: recentOf(fact, ours)
  })
}

const enumsOf = (facts: Facts) =>
  Object.fromEntries(
    Object.entries(facts.enums).map(([name, values]) => {
      const own = new Map(
        Object.entries(facts.nameMap.enumValues)
          .filter(([key]) => key.startsWith(`${name}.`))
          .map(([key, source]) => [source, key.slice(name.length + 1)])
      )
      return [name, Object.fromEntries(values.map(value => [own.get(value) ?? value, value]))]
    })
  )

/** Writes the pinned files into `out` and the declarations into the indexer's room. */
export const writeEntities = async (directory: string, out: string): Promise<string> => {
  const text = await readFile(join(directory, "entities.json"), "utf8")
  const graphql = await readFile(join(directory, "schema.graphql"), "utf8")
  const facts = Schema.decodeUnknownSync(Schema.parseJson(Facts))(text.replaceAll("\r\n", "\n"))
  const named = facts.entities.filter(({ entity }) => entity !== "_meta")
  const entities = Object.fromEntries(named.map(fact => [fact.entity, declarationOf(facts, fact)]))
  const enums = enumsOf(facts)
  const lines = Object.entries(entities).map(
    ([name, declaration]) => `"${name}":${JSON.stringify(declaration)}`
  )
  const pinned = `{"enums":${JSON.stringify(enums)},"entities":{\n${lines.join(",\n")}\n}}\n`
  const manifest = {
    protocolVersion: 6,
    files: { "entities.json": sha256(pinned), "schema.graphql": sha256(graphql) },
    declarations: sha256(canonicalJson({ entities, enums }))
  }
  const declarations = declarationsFile(pinned)
  for (const path of [dirname(declarations.path), out]) await mkdir(path, { recursive: true })
  await writeFile(declarations.path, declarations.text)
  await writeFile(join(out, "entities.json"), pinned)
  await writeFile(join(out, "schema.graphql"), graphql)
  await writeFile(join(out, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
  return `${Object.keys(entities).length} entities, ${manifest.files["schema.graphql"]}`
}
