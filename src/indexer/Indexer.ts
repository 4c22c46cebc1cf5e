/** The indexed source: checked queries in, checked rows out. */
import { Context, type Effect } from "effect"
import type { IndexerPage, IndexerRecord, IndexerStatus, Json, Network } from "./IndexerSchemas.ts"
import type { IndexerRefusal } from "./refusals.ts"

interface Scope {
  readonly network: Network
  readonly chainId?: number | undefined
  /** Decimal. */
  readonly projectId?: string | undefined
  /** Dotted paths; the first 32 scalars when absent. Identity fields are always added. */
  readonly fields?: ReadonlyArray<string> | undefined
}

export interface ListQuery extends Scope {
  readonly filters?: { readonly [key: string]: Json } | undefined
  readonly orderBy?: { readonly field: string; readonly direction?: "asc" | "desc" | undefined } | undefined
  /** 1 to 50; 20 when absent. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface RecordQuery extends Scope {
  /** Key parts by name, or the one part that scope and version leave open. */
  readonly id?: string | { readonly [part: string]: Json } | undefined
}

export interface IndexerShape {
  /** The network of a chain, where one has it. */
  readonly networkOf: (chainId: number) => Network | undefined
  readonly list: (entity: string, query: ListQuery) => Effect.Effect<IndexerPage, IndexerRefusal>
  /** `item` is null where the source has no such record. */
  readonly record: (entity: string, query: RecordQuery) => Effect.Effect<IndexerRecord, IndexerRefusal>
  readonly status: (network: Network) => Effect.Effect<IndexerStatus, IndexerRefusal>
}

export class Indexer extends Context.Tag("indexer/Indexer")<Indexer, IndexerShape>() {}
