/** The indexed source: checked queries in, checked rows out. */
import { Clock, Context, Effect, Layer } from "effect"
import type { CursorSigner } from "../settings/CursorSigner.ts"
import type { Settings } from "../settings/Settings.ts"
import { describeCatalog } from "./DescribeCatalog.ts"
import type {
  IndexerCatalog,
  IndexerPage,
  IndexerRecord,
  IndexerStatus,
  Json,
  Network
} from "./IndexerSchemas.ts"
import { loadSchema } from "./LoadSchema.ts"
import { networkChains } from "./Networks.ts"
import { makeList } from "./ReadList.ts"
import { makeRecord } from "./ReadRecord.ts"
import { makeStatus } from "./ReadStatus.ts"
import type { ListRefusal, RecordRefusal, SchemaIntegrity, StatusRefusal } from "./refusals.ts"
import { makeSources } from "./Sources.ts"

interface Scope {
  readonly network: Network
  readonly chainId?: number | undefined
  /** Decimal. */
  readonly projectId?: string | undefined
  /** An array of dotted paths; the first 32 scalars without JSON and documents when absent. Identity fields are always added. */
  readonly fields?: Json | undefined
}

export interface RowsQuery extends Scope {
  /** An object of filters. */
  readonly filters?: Json | undefined
  /** `{field, direction}`, ascending where no direction is given. */
  readonly orderBy?: Json | undefined
  /** 1 to 50; 20 when absent. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** What cursors are bound to in place of what is asked, where that changes with what the source lacks. */
  readonly bound?: Pick<RowsQuery, "fields" | "filters">
  /** Of the cursors that are given, where the caller takes no longer ones. */
  readonly longestCursor?: number | undefined
  /** Where the caller takes project ids that the source cannot hold: they have no rows, and are refused where it is absent. */
  readonly greatestProject?: number | undefined
}

export interface RecordQuery extends Scope {
  /** Key parts by name, or the one part that scope and version leave open. */
  readonly id?: Json | undefined
}

export interface IndexerShape {
  /** The network of a chain, where one has it. */
  readonly networkOf: (chainId: number) => Network | undefined
  readonly chainsOf: (network: Network) => ReadonlyArray<number>
  /** Asked where none is named: the only configured one, or mainnet. */
  readonly usualNetwork: Network
  readonly list: (entity: string, query: RowsQuery) => Effect.Effect<IndexerPage, ListRefusal>
  /** `item` is null where the source has no such record. */
  readonly record: (entity: string, query: RecordQuery) => Effect.Effect<IndexerRecord, RecordRefusal>
  readonly status: (network: Network) => Effect.Effect<IndexerStatus, StatusRefusal>
  readonly catalog: Effect.Effect<IndexerCatalog>
  /** Rises when a source turns out to serve more or less than before. */
  readonly edition: () => number
  /** Whether the source of a network works, as its latest questions or a probe of now tell. */
  readonly answers: (network: Network) => Effect.Effect<boolean>
}

interface IndexerOptions {
  /** Of the pinned schema. */
  readonly directory: string
  /** Chains of this machine, which count as testnets. */
  readonly localChains?: ReadonlyArray<number>
}

const make = Effect.fnUntraced(function* ({ directory, localChains = [] }: IndexerOptions) {
  const schemaSha256 = yield* loadSchema(directory)
  const startedAt = yield* Clock.currentTimeMillis
  const sources = yield* makeSources
  const chains = networkChains(localChains)
  const answering = { schemaSha256 }
  const indexer: IndexerShape = {
    networkOf: chainId =>
      chains.mainnet.has(chainId) ? "mainnet" : chains.testnet.has(chainId) ? "testnet" : undefined,
    chainsOf: network => [...chains[network]],
    usualNetwork:
      !sources.configured.has("mainnet") && sources.configured.has("testnet") ? "testnet" : "mainnet",
    list: yield* makeList(sources, chains, answering),
    record: makeRecord(sources, chains, answering),
    status: makeStatus(sources, chains, answering),
    catalog: Effect.sync(() => describeCatalog(answering, startedAt, sources)),
    edition: () => [...sources.configured.values()].reduce((sum, { seen }) => sum + seen().edition, 0),
    answers: network => sources.configured.get(network)?.answers ?? Effect.succeed(false)
  }
  return indexer
})

export class Indexer extends Context.Tag("indexer/Indexer")<Indexer, IndexerShape>() {
  static readonly layer = (
    options: IndexerOptions
  ): Layer.Layer<Indexer, SchemaIntegrity, Settings | CursorSigner> => Layer.scoped(Indexer, make(options))
}
