/** Starts what is not configured: a database, and a local chain with the sandbox contracts and their index. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { EmbeddedChain } from "../embedded/Chain.ts"
import { EmbeddedIndex } from "../embedded/Index.ts"
import { EmbeddedPostgres } from "../embedded/Postgres.ts"
import type { ChainSettings, SettingsShape } from "../settings/Settings.ts"

const CONFIRMATIONS = 2

interface Ending {
  readonly sentence: string
}

export interface Embedded {
  readonly settings: SettingsShape
  /** One line for each embedded part, for people. */
  readonly lines: ReadonlyArray<string>
  /** Ends with the reason when an embedded part ends by itself. */
  readonly ended: Effect.Effect<Ending>
}

interface Part {
  readonly lines: ReadonlyArray<string>
  readonly ended: Effect.Effect<Ending>
}

const nothing: Part = { lines: [], ended: Effect.never }

const database = Effect.fn("Embedded.database")(function* (settings: SettingsShape) {
  if (settings.databaseUrl !== undefined) return { ...nothing, databaseUrl: settings.databaseUrl }
  const { url, data, leftOver, ended } = yield* EmbeddedPostgres.start(settings.dataDirectory)
  const left = leftOver.map(
    each => `left over   the database of ${each.link}, which is gone; to remove it: rm -r ${each.data}*`
  )
  return { databaseUrl: url, lines: [`database    embedded PostgreSQL in ${data}`, ...left], ended }
})

/** Read by nobody who has a chain: its programs are a quarter of what the process consists of. */
const deploySandbox = async (rpcUrl: string) =>
  (await import("../../sandbox/deploy.ts")).deploySandbox(rpcUrl)

const chain = Effect.fn("Embedded.chain")(function* (settings: SettingsShape) {
  const { chains, sandboxManifest } = settings
  if (chains.length > 0) return { ...nothing, chains, sandboxManifest, rpcUrl: undefined }
  const { url, chainId, manifest, ended } = yield* EmbeddedChain.start(settings.dataDirectory, deploySandbox)
  const file = join(settings.dataDirectory, "chain", "deployments.json")
  yield* Effect.promise(() => writeFile(file, JSON.stringify(manifest)))
  const local: ChainSettings = { chainId, urls: [Redacted.make(url)], confirmations: CONFIRMATIONS }
  return {
    chains: [local],
    sandboxManifest: file,
    rpcUrl: url,
    lines: [`chain       embedded local chain ${chainId} with the sandbox contracts at ${url}`],
    ended
  }
})

/** A configured source of the testnets stays; without a local chain there is nothing to index. */
const index = Effect.fn("Embedded.index")(function* (
  settings: SettingsShape,
  databaseUrl: Redacted.Redacted<string>,
  { rpcUrl, sandboxManifest }: Effect.Effect.Success<ReturnType<typeof chain>>
) {
  const { indexer, dataDirectory } = settings
  if (indexer.testnetUrl !== undefined || rpcUrl === undefined || sandboxManifest === undefined)
    return { ...nothing, indexer }
  const started = yield* EmbeddedIndex.start({ dataDirectory, databaseUrl, rpcUrl, sandboxManifest })
  return {
    indexer: { ...indexer, testnetUrl: Redacted.make(started.url) },
    lines: [`indexer     history of the local chain at ${started.url}`],
    ended: started.ended
  }
})

export const embedded = Effect.fn("Embedded.start")(function* (settings: SettingsShape) {
  const [stored, local] = yield* Effect.all([database(settings), chain(settings)], {
    concurrency: "unbounded"
  })
  const { databaseUrl } = stored
  const { chains, sandboxManifest } = local
  const { indexer, lines, ended } = yield* index(settings, databaseUrl, local)
  const started: Embedded = {
    settings: { ...settings, databaseUrl, chains, sandboxManifest, indexer },
    lines: [...stored.lines, ...local.lines, ...lines],
    ended: Effect.raceAll([stored.ended, local.ended, ended])
  }
  return started
})
