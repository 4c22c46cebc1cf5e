/** The catalog of entities: what may be asked of each, and what a configured source does not serve. */
import type { AnsweringSource } from "./Answering.ts"
import { provenanceOf } from "./Answering.ts"
import { type Column, type Entity, entities, identityOf, identityRelationsOf } from "./Entities.ts"
import { type CatalogEntity, type IndexerCatalog, type Network, SEMANTICS } from "./IndexerSchemas.ts"
import { LACKING_REASON, type Lacking } from "./Lacking.ts"
import { LIMITS } from "./Limits.ts"
import { isOnRequest } from "./Selection.ts"
import type { Sources } from "./Sources.ts"

type Field = CatalogEntity["fields"][number]

/** By configured network. */
type AllLacking = ReadonlyArray<readonly [Network, Lacking]>

const typeOf = ({ base, list, nullable, members }: Column): string => {
  const single = base === "Enum" ? [...members.keys()].join("|") : base
  return `${list ? `[${single}!]` : single}${nullable ? "" : "!"}`
}

const unservedField = (all: AllLacking, entity: Entity, name: string) => {
  const networks = all
    .filter(([, { entities, fields }]) => entities.has(entity.name) || fields.has(`${entity.name}.${name}`))
    .map(([network]) => network)
  if (networks.length === 0) return {}
  return { unservedBy: networks, unsupportedReason: LACKING_REASON }
}

const scalarFields = (entity: Entity): ReadonlyArray<Field> =>
  [...entity.columns.values()]
    .filter(({ hidden }) => !hidden)
    .map(column => ({
      name: column.name,
      type: typeOf(column),
      selectable: true,
      ...(isOnRequest(column) ? { onRequest: true } : {})
    }))

const relationFields = ({ facts }: Entity): ReadonlyArray<Field> => [
  ...Object.entries(facts.relations ?? {}).map(([name, entity]) => ({
    name,
    type: entity,
    selectable: true,
    relatedEntity: entity,
    access: "bounded-singular-relation" as const
  })),
  ...Object.entries(facts.refused ?? {}).map(([name, { entity, lacks }]) =>
    lacks.length === 0
      ? {
          name,
          type: entity,
          selectable: false,
          access: "unsupported-global-aggregate" as const,
          unsupportedReason: "The relation leads to rows of every protocol version."
        }
      : {
          name,
          type: entity,
          selectable: false,
          relatedEntity: entity,
          unsupportedReason: `The source joins this relation without ${lacks.join(", ")}, so it may give another row.`
        }
  ),
  ...Object.entries(facts.lists ?? {}).map(([name, entity]) => ({
    name,
    type: `[${entity}!]`,
    selectable: false,
    relatedEntity: entity,
    access: "separate-entity-list" as const
  }))
]

export const classified = (name: string): CatalogEntity["classification"] => {
  if (name.endsWith("Event")) return "event"
  return /(?:Snapshot|Moment)$/.test(name) ? "snapshot" : "state"
}

export const catalogEntity = (entity: Entity, all: AllLacking = []): CatalogEntity => {
  const networks = all.filter(([, lacking]) => lacking.entities.has(entity.name)).map(([network]) => network)
  const supported = all.length === 0 || networks.length < all.length
  const fields = [...scalarFields(entity), ...relationFields(entity)]
  return {
    name: entity.name,
    listField: `${entity.name}s`,
    singleArgs: entity.key.flatMap(name => {
      const column = entity.columns.get(name)
      return column === undefined ? [] : [{ name, type: typeOf(column) }]
    }),
    filterType: `${entity.name}Filter`,
    supported,
    ...(networks.length === 0 ? {} : { unservedBy: networks, unsupportedReason: LACKING_REASON }),
    classification: classified(entity.name),
    identity: [...identityOf(entity), ...identityRelationsOf(entity).map(name => `${name}.address`)],
    nullableOrder: [...entity.columns.values()]
      .filter(({ nullable, hidden, list, base }) => nullable && !hidden && !list && base !== "JSON")
      .map(({ name }) => name),
    fields: fields.map(field => ({ ...field, ...unservedField(all, entity, field.name) })),
    filters: [...entity.filters.keys()]
  }
}

export const describeCatalog = (
  answering: AnsweringSource,
  observedAt: number,
  { configured }: Sources
): IndexerCatalog => {
  const all = [...configured].map(([network, source]) => [network, source.seen().lacking] as const)
  return {
    protocolVersion: 6,
    source: provenanceOf(answering, observedAt),
    limits: LIMITS,
    networks: { mainnet: configured.has("mainnet"), testnet: configured.has("testnet") },
    semantics: SEMANTICS,
    entities: entities.map(entity => catalogEntity(entity, all)),
    metadata: { root: "_meta", method: "status", snapshotPinned: false }
  }
}
