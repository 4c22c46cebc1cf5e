/** The indexed source: typed rows of every entity. Amounts and `projectId` are decimal strings; pages are no snapshot. */
import type { EntityName, EntityRow } from "../indexer/Entities.ts"
import type { IndexerPage, IndexerRecord, Json, Network } from "../indexer/IndexerSchemas.ts"
import type { Caller } from "./Caller.ts"
import { answering, endpoints } from "./Endpoints.ts"
import { everyItem } from "./EveryItem.ts"

interface Scope {
  readonly network: Network
  readonly chainId?: number
  /** Decimal. */
  readonly projectId?: string
  /** Dotted paths through singular relations, 1 to 48; the first 32 scalars without JSON and documents when absent. */
  readonly fields?: ReadonlyArray<string>
}

export interface EntityQuery extends Scope {
  /** By the filters of the catalog, with `AND` and `OR`; `%` and `_` match themselves. */
  readonly filters?: { readonly [filter: string]: Json }
  /** Rows without a value come last. */
  readonly orderBy?: { readonly field: string; readonly direction?: "asc" | "desc" }
  /** 1 to 50; 20 when absent. */
  readonly limit?: number
  /** The `nextCursor` of a page of this same query. */
  readonly cursor?: string
}

export interface EntityKey extends Scope {
  /** Key parts by name, or the one part that the scope leaves open. */
  readonly id?: string | { readonly [part: string]: string | number }
}

export type EntityPage<Name extends EntityName> = Omit<IndexerPage, "items"> & {
  readonly items: ReadonlyArray<EntityRow<Name>>
}

export type EntityRecord<Name extends EntityName> = Omit<IndexerRecord, "item"> & {
  readonly item: EntityRow<Name> | null
}

const asText = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value)

export const indexerMethods = (caller: Caller) => {
  const list = <Name extends EntityName>(entity: Name, query: EntityQuery): Promise<EntityPage<Name>> =>
    caller.call(answering<EntityPage<Name>>(endpoints.listIndexerEntity), {
      path: { entity },
      query: {
        ...query,
        fields: asText(query.fields),
        filters: asText(query.filters),
        orderBy: asText(query.orderBy)
      }
    })
  return {
    indexer: {
      /** How far each chain of the network is indexed; times in Unix seconds. */
      status: (network: Network) => caller.call(endpoints.getIndexerStatus, { query: { network } }),
      /** The same as a record of `_meta`. */
      metadata: (network: Network) => caller.call(endpoints.getIndexerMetadata, { query: { network } }),
      /** One page of an entity's rows. */
      list,
      /** Every row, page after page. */
      iterate: <Name extends EntityName>(
        entity: Name,
        query: Omit<EntityQuery, "cursor">
      ): AsyncGenerator<EntityRow<Name>> => everyItem(after => list(entity, { ...query, ...after })),
      /** One record by its key; `item` is null where there is none. */
      record: <Name extends EntityName>(entity: Name, query: EntityKey): Promise<EntityRecord<Name>> =>
        caller.call(answering<EntityRecord<Name>>(endpoints.getIndexerRecord), {
          path: { entity },
          query: { ...query, fields: asText(query.fields), id: asText(query.id) }
        })
    }
  }
}
