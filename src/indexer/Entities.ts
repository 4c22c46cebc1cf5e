/** The declared entities, arranged for the questions that checks ask of them. */
import { Either } from "effect"
import type { EntityFacts, RowOf } from "./EntityFacts.ts"
import { entityEnums, entityFacts } from "./generated/Entities.ts"
import { EntityNotFound } from "./refusals.ts"

export type EntityName = keyof typeof entityFacts

/** The rows of each entity as a client may type them. */
export type EntityRow<Name extends EntityName> = RowOf<typeof entityFacts, Name>

export type Base = "Int" | "BigInt" | "String" | "Hex" | "Boolean" | "JSON" | "Enum"

export interface Column {
  readonly name: string
  /** The source's name. */
  readonly source: string
  readonly base: Base
  /** Own value to the source's, of an enum. */
  readonly members: ReadonlyMap<string, string>
  readonly list: boolean
  readonly nullable: boolean
  /** Behind a relation of the same name. */
  readonly hidden: boolean
}

export interface Entity {
  readonly name: string
  readonly facts: EntityFacts
  /** The source's names of its type, its list root and its filter. */
  readonly one: string
  readonly many: string
  readonly filter: string
  readonly key: ReadonlyArray<string>
  /** Hidden ones included. */
  readonly columns: ReadonlyMap<string, Column>
  /** Every filter of its columns but those on the version. */
  readonly filters: ReadonlyMap<string, Filter>
}

export interface Filter {
  readonly column: Column
  readonly suffix: string
  readonly source: string
}

const BASES: ReadonlyMap<string, Base> = new Map([
  ["Int", "Int"],
  ["BigInt", "BigInt"],
  ["String", "String"],
  ["Hex", "Hex"],
  ["Boolean", "Boolean"],
  ["JSON", "JSON"]
])

const ENUMS: Readonly<Record<string, Readonly<Record<string, string>>>> = entityEnums

const columnOf = (facts: EntityFacts, name: string, type: string, hidden: boolean): Column => {
  const named = type.replace(/[[\]!]/g, "")
  return {
    name,
    source: facts.renamed?.[name] ?? name,
    base: BASES.get(named) ?? "Enum",
    members: new Map(Object.entries(ENUMS[named] ?? {})),
    list: type.startsWith("["),
    nullable: !type.endsWith("!"),
    hidden
  }
}

const EQUAL = ["", "_not"]
const AMONG = [...EQUAL, "_in", "_not_in"]
const NUMERIC = [...AMONG, "_gt", "_lt", "_gte", "_lte"]
const LIKE = [
  "_contains",
  "_not_contains",
  "_starts_with",
  "_ends_with",
  "_not_starts_with",
  "_not_ends_with"
]

const SUFFIXES: Readonly<Record<Base, ReadonlyArray<string>>> = {
  Int: NUMERIC,
  BigInt: NUMERIC,
  String: [...AMONG, ...LIKE, ...LIKE.map(suffix => `${suffix}_nocase`)],
  Hex: [...AMONG, ...LIKE],
  Boolean: AMONG,
  Enum: AMONG,
  JSON: []
}

const suffixesOf = ({ list, base }: Column) => (list ? [...EQUAL, "_has", "_not_has"] : SUFFIXES[base])

const filtersOf = (columns: Iterable<Column>): ReadonlyMap<string, Filter> =>
  new Map(
    [...columns]
      .filter(({ name }) => name !== "version")
      .flatMap(column =>
        suffixesOf(column).map(suffix => [
          `${column.name}${suffix}`,
          { column, suffix, source: `${column.source}${suffix}` }
        ])
      )
  )

const entityFrom = (facts: EntityFacts): Entity => {
  const one = facts.source ?? facts.name
  const columns = new Map(
    [
      ...Object.entries(facts.fields).map(([name, type]) => columnOf(facts, name, type, false)),
      ...Object.entries(facts.hidden ?? {}).map(([name, type]) => columnOf(facts, name, type, true))
    ].map(column => [column.name, column])
  )
  return {
    name: facts.name,
    facts,
    one,
    many: `${one}s`,
    filter: `${one}Filter`,
    key: facts.key,
    columns,
    filters: filtersOf(columns.values())
  }
}

const byName: ReadonlyMap<string, Entity> = new Map(
  Object.values<EntityFacts>(entityFacts).map(facts => [facts.name, entityFrom(facts)])
)

export const entities: ReadonlyArray<Entity> = [...byName.values()]

export const entityOf = (name: string): Either.Either<Entity, EntityNotFound> =>
  Either.fromNullable(
    byName.get(name),
    () => new EntityNotFound({ context: { entity: name.slice(0, 100), allowed: [...byName.keys()] } })
  )

/** Where a selectable relation leads. */
export const relatedTo = ({ facts }: Entity, relation: string): Entity | undefined =>
  Object.hasOwn(facts.relations ?? {}, relation) ? byName.get(facts.relations?.[relation] ?? "") : undefined

export const has = ({ columns }: Entity, name: string): boolean => columns.get(name)?.hidden === false

/** Besides its identity, a token tells its tier, which a selected tier has to agree with. */
const FURTHER: Readonly<Record<string, ReadonlyArray<string>>> = { nft: ["tierId"] }

/** Scalars that every row of the entity carries. */
export const identityOf = (entity: Entity): ReadonlyArray<string> => [
  ...new Set(
    ["version", "chainId", "projectId", ...entity.key, ...(FURTHER[entity.name] ?? [])].filter(name =>
      has(entity, name)
    )
  )
]

/** Relations that every row carries, because a key part is hidden behind them. */
export const identityRelationsOf = (entity: Entity): ReadonlyArray<string> =>
  entity.key.filter(name => !has(entity, name))
