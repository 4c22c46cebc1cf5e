/** Starts what is not configured: a database, and a local chain with the sandbox contracts, their index and their prepaid provider. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Redacted, type Scope } from "effect"
import { EmbeddedChain } from "../embedded/Chain.ts"
import { EmbeddedIndex } from "../embedded/Index.ts"
import { EmbeddedPostgres } from "../embedded/Postgres.ts"
import { EmbeddedProvider } from "../embedded/Provider.ts"
import type { ChainSettings, SettingsShape } from "../settings/Settings.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import { localBundler } from "./LocalBundler.ts"
import { localStack } from "./LocalStack.ts"

const CONFIRMATIONS = 2

interface Ending {
  readonly sentence: string
}

export type Fact = readonly [label: string, text: string]

export interface Embedded {
  readonly settings: SettingsShape
  /** One for each embedded part, for people. */
  readonly facts: ReadonlyArray<Fact>
  /** Of the local chain, where it is embedded. */
  readonly rpcUrl: string | undefined
  /** Of its provider, where that is embedded. */
  readonly providerUrl: string | undefined
  /** Of its bundler and paymaster, where they are embedded. */
  readonly bundlerUrl: string | undefined
  readonly paymasterUrl: string | undefined
  /** Starts what is to take nothing from the start of the service. */
  readonly later: Effect.Effect<void, never, Scope.Scope>
  /** Ends with the reason when an embedded part ends by itself. */
  readonly ended: Effect.Effect<Ending>
}

interface Part {
  readonly facts: ReadonlyArray<Fact>
  readonly ended: Effect.Effect<Ending>
}

const nothing: Part = { facts: [], ended: Effect.never }

const database = Effect.fn("Embedded.database")(function* (settings: SettingsShape) {
  if (settings.databaseUrl !== undefined) return { ...nothing, databaseUrl: settings.databaseUrl }
  const { url, data, leftOver, ended } = yield* EmbeddedPostgres.start(settings.dataDirectory)
  const left = leftOver.map(
    (each): Fact => [
      "left over",
      `the database of ${each.link}, which is gone; to remove it: rm -r ${each.data}*`
    ]
  )
  const stored: Fact = ["database", `embedded PostgreSQL in ${data}`]
  return { databaseUrl: url, facts: [stored, ...left], ended }
})

/** Read by nobody who has a chain: its programs are a quarter of what the process consists of. */
const deploySandbox = async (rpcUrl: string) => {
  const { deploySandbox } = await import("../../sandbox/deploy.ts")
  const { placePayments } = await import("../../sandbox/provider/Payments.ts")
  const manifest = await deploySandbox(rpcUrl)
  return { manifest, payments: await placePayments(rpcUrl) }
}

/** The service listens later, and would find its own port taken. */
const portOf = ({ chainPort, port, opsPort }: SettingsShape): number =>
  [port, opsPort].includes(chainPort) ? 0 : chainPort

const chainFacts = (chainId: number, url: string, chainPort: number): ReadonlyArray<Fact> => {
  const started: Fact = ["chain", `embedded local chain ${chainId} with the sandbox contracts at ${url}`]
  const moved: Fact = [
    "port",
    `${chainPort} is taken, so the chain's is another; SERVICE_CHAIN_PORT names one`
  ]
  return new URL(url).port === String(chainPort) ? [started] : [started, moved]
}

const chain = Effect.fn("Embedded.chain")(function* (settings: SettingsShape) {
  const { chains, chainPort, sandboxManifest, smartManifests, dataDirectory } = settings
  if (chains.length > 0)
    return {
      ...nothing,
      ...{ chains, sandboxManifest, smartManifests },
      ...{ rpcUrl: undefined, payments: undefined, carried: undefined }
    }
  const {
    url,
    chainId,
    manifest: deployed,
    ended
  } = yield* EmbeddedChain.start(dataDirectory, deploySandbox, portOf(settings))
  const file = join(dataDirectory, "chain", "deployments.json")
  yield* Effect.promise(() => writeFile(file, JSON.stringify(deployed.manifest)))
  const local: ChainSettings = { chainId, urls: [Redacted.make(url)], confirmations: CONFIRMATIONS }
  const told = yield* localStack(url, settings)
  return {
    chains: [local],
    sandboxManifest: file,
    rpcUrl: url,
    payments: { chainId, ...deployed.payments },
    smartManifests: told.smartManifests,
    carried: told.isPlaced ? { chainId, rpcUrl: url } : undefined,
    facts: [...chainFacts(chainId, url, chainPort), ...told.facts],
    ended
  }
})

type LocalChain = Effect.Effect.Success<ReturnType<typeof chain>>

/** A configured source of the testnets stays; without a local chain there is nothing to index. */
const index = Effect.fn("Embedded.index")(function* (
  settings: SettingsShape,
  databaseUrl: Redacted.Redacted<string>,
  { rpcUrl, sandboxManifest }: LocalChain
) {
  const { indexer, dataDirectory } = settings
  if (indexer.testnetUrl !== undefined || rpcUrl === undefined || sandboxManifest === undefined)
    return { ...nothing, indexer }
  const started = yield* EmbeddedIndex.start({ dataDirectory, databaseUrl, rpcUrl, sandboxManifest })
  const indexed: Fact = ["indexer", `history of the local chain at ${started.url}`]
  return {
    indexer: { ...indexer, testnetUrl: Redacted.make(started.url) },
    facts: [indexed],
    ended: started.ended
  }
})

/** A configured provider stays; without a local chain there is nothing to sponsor by one of this machine. */
const provider = Effect.fn("Embedded.provider")(function* (
  { sponsorship, dataDirectory }: SettingsShape,
  { rpcUrl, payments }: LocalChain
) {
  if (sponsorship.providerUrl !== undefined || rpcUrl === undefined || payments === undefined)
    return { sponsorship, facts: [], url: undefined }
  if (!EmbeddedProvider.isBuilt()) {
    const absent: Fact = [
      "provider",
      "its program is not there, so nothing is sponsored: npm run build makes it"
    ]
    return { sponsorship, facts: [absent], url: undefined }
  }
  const url = yield* EmbeddedProvider.start({ dataDirectory, rpcUrl })
  const started: Fact = [
    "provider",
    `executes forward requests on the local chain for whoever pays their gas, at ${url}`
  ]
  const elsewhere = sponsorship.payments.filter(({ chainId }) => chainId !== payments.chainId)
  const providerUrl = Redacted.make(url)
  return {
    sponsorship: { ...sponsorship, providerUrl, payments: [...elsewhere, payments] },
    facts: [started],
    url
  }
})

/** A database that was brought along is perhaps one of real accounts, for which a development chain means nothing. */
const refusesLocalChain = ({ databaseUrl, chains, localChain }: SettingsShape): boolean =>
  databaseUrl !== undefined && chains.length === 0 && localChain === "auto"

export const embedded = Effect.fn("Embedded.start")(function* (settings: SettingsShape) {
  if (refusesLocalChain(settings))
    return yield* new StartFailure({
      message:
        "SERVICE_DATABASE_URL names a database, and no chain is configured: set SERVICE_RPC_<chainId> for each chain to serve, or SERVICE_LOCAL_CHAIN=on for a development chain."
    })
  const [stored, local] = yield* Effect.all([database(settings), chain(settings)], {
    concurrency: "unbounded"
  })
  const { databaseUrl } = stored
  const { chains, sandboxManifest, smartManifests, rpcUrl } = local
  const indexed = yield* index(settings, databaseUrl, local)
  const sponsored = yield* provider(settings, local)
  const bundled = yield* localBundler(settings, local.carried)
  const { indexer } = indexed
  const { sponsorship } = sponsored
  const { userOperations } = bundled
  const started: Embedded = {
    settings: {
      ...{ ...settings, databaseUrl, chains, sandboxManifest, smartManifests, indexer },
      ...{ sponsorship, userOperations }
    },
    facts: [stored, local, indexed, sponsored, bundled].flatMap(({ facts }) => facts),
    rpcUrl,
    providerUrl: sponsored.url,
    bundlerUrl: bundled.url,
    paymasterUrl: bundled.paymasterUrl,
    later: bundled.start,
    ended: Effect.raceAll([stored.ended, local.ended, indexed.ended])
  }
  return started
})
