/** A whole service in this process on a database of its own, for tests that speak HTTP to it. */
import { type Clock, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { serveOps } from "../../src/http/Ops.ts"
import type { Pages } from "../../src/http/pages/Pages.ts"
import { serve } from "../../src/http/Server.ts"
import { type Available, services } from "../../src/main/Services.ts"
import { siteOf } from "../../src/main/Site.ts"
import type { AnyOperation } from "../../src/operations/framework/Installed.ts"
import { ownOperations } from "../../src/operations/framework/OwnOperations.ts"
import { Settings, type SettingsShape } from "../../src/settings/Settings.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { freePort } from "./Ports.ts"

export const testSettings = (port: number, opsPort: number, url: string): SettingsShape => ({
  host: "127.0.0.1",
  port,
  opsPort,
  chainPort: 0,
  localChain: "auto",
  audience: `http://localhost:${port}`,
  dataDirectory: "unused",
  databaseUrl: Redacted.make(url),
  databaseConnections: 10,
  processes: 1,
  chains: [],
  headMaximumAgeSeconds: 60,
  indexer: { mainnetUrl: undefined, testnetUrl: undefined, headers: Redacted.make({}) },
  plans: {
    ttlSeconds: 300,
    maximumGas: 20_000_000n,
    maximumFeePerGas: 1_000_000_000_000n,
    maximumTransactionCost: 10n ** 21n,
    maximumRawBytes: 262_144,
    maximumAccessListItems: 4_096
  },
  sponsorship: {
    providerUrl: undefined,
    providerHeaders: Redacted.make({}),
    requestSeconds: 169_200,
    maximumGas: 10_000_000n,
    maximumFunding: 10n ** 18n,
    payments: [],
    recordsPerAccount: 1_000
  },
  userOperations: {
    bundlers: [],
    paymasters: [],
    maximumGas: {
      call: 10_000_000n,
      verification: 3_000_000n,
      preVerification: 2_000_000n,
      paymasterVerification: 1_000_000n,
      paymasterPostOp: 1_000_000n
    },
    recordsPerAccount: 1_000,
    traceBatches: false
  },
  sessions: { recordsPerAccount: 1000 },
  quotas: { owner: 300, bots: 300, address: 600, rpc: 20_000 },
  maximumInWork: 256,
  sandboxManifest: undefined,
  smartManifests: undefined,
  walletPayments: undefined,
  trustedProxies: [],
  accountCap: 100_000,
  enrolmentsPerAddress: 0,
  opsNames: [],
  readiness: { needs: [], deadlineMillis: 2_000 },
  tracePercent: 5,
  reviewSecret: Redacted.make("a review secret for tests, 32 bytes and more"),
  reviewTtlSeconds: 600,
  otlpEndpoint: undefined,
  log: { level: "warning", format: "json" },
  metricsToken: undefined
})

export interface RunningService {
  readonly url: string
  readonly opsUrl: string
  readonly audience: string
  readonly databaseUrl: string
  readonly stop: () => Promise<void>
}

export interface ServiceOptions {
  readonly settings?: Partial<SettingsShape>
  readonly overlays?: ReadonlyArray<string>
  /** Beside the package's own. */
  readonly operations?: ReadonlyArray<AnyOperation<Available>>
  /** Beside the package's own. */
  readonly pages?: Pages
  /** Another replica's database. */
  readonly databaseUrl?: string
  /** In place of the process's own. */
  readonly clock?: Clock.Clock
}

let ownSite: ReturnType<typeof siteOf> | undefined

/** Most serve the same: it is made once for each worker, and holds nothing of whom it serves. */
const siteWith = (added: ReadonlyArray<AnyOperation<Available>>) => {
  if (added.length > 0) return siteOf([...ownOperations, ...added])
  ownSite ??= siteOf(ownOperations)
  return ownSite
}

export const startService = async (options: ServiceOptions = {}): Promise<RunningService> => {
  const own = options.databaseUrl === undefined ? await migratedDatabase() : undefined
  const databaseUrl = options.databaseUrl ?? own?.url ?? ""
  const settings: SettingsShape = {
    ...testSettings(await freePort(), await freePort(), databaseUrl),
    ...options.settings
  }
  const { overlays = [], operations = [], pages = [] } = options
  const site = siteWith(operations)
  const allPages = (audience: string) => new Map([...site.pages(audience), ...pages])
  const listeners = Layer.mergeAll(
    Layer.scopedDiscard(serve({ ...site, pages: allPages })),
    Layer.scopedDiscard(serveOps)
  )
  const layer = listeners.pipe(
    Layer.provideMerge(services(overlays, { operations })),
    Layer.provide(Layer.succeed(Settings, settings))
  )
  const clock = options.clock === undefined ? Layer.empty : Layer.setClock(options.clock)
  const runtime = ManagedRuntime.make(
    Layer.provideMerge(layer, Layer.merge(clock, Layer.succeed(Settings, settings)))
  )
  await runtime.runPromise(Effect.void)
  const stop = async () => {
    await runtime.dispose()
    await own?.drop()
  }
  return {
    url: `http://127.0.0.1:${settings.port}`,
    opsUrl: `http://127.0.0.1:${settings.opsPort}`,
    audience: settings.audience,
    databaseUrl,
    stop
  }
}
