/** The chain room over given nodes, with settings that only name what a test is about. */
import { Layer, Redacted } from "effect"
import { ChainClientLive } from "../../src/chain/ChainClientLive.ts"
import { Settings, type SettingsShape } from "../../src/settings/Settings.ts"

const settings: SettingsShape = {
  host: "127.0.0.1",
  port: 0,
  opsPort: 0,
  audience: "http://localhost",
  dataDirectory: ".data",
  databaseUrl: undefined,
  databaseConnections: 1,
  chains: [],
  headMaximumAgeSeconds: 60,
  indexer: { mainnetUrl: undefined, testnetUrl: undefined, headers: Redacted.make({}) },
  plans: {
    ttlSeconds: 300,
    maximumGas: 20_000_000n,
    maximumFeePerGas: 1_000_000_000_000n,
    maximumTransactionCost: 10n ** 21n,
    maximumRawBytes: 131_072,
    maximumAccessListItems: 1_024
  },
  quotas: { owner: 1_000, bots: 1_000, address: 1_000, rpc: 1_000_000 },
  maximumInWork: 1_000,
  sandboxManifest: undefined,
  trustedProxies: [],
  accountCap: 100_000,
  reviewSecret: Redacted.make("r".repeat(32)),
  reviewTtlSeconds: 600,
  otlpEndpoint: undefined,
  log: { level: "info", format: "json" },
  metricsToken: undefined
}

export interface NodesUnderTest {
  readonly chainId: number
  readonly urls: ReadonlyArray<string>
  readonly callsPerMinute?: number
}

export const clientOver = ({ chainId, urls, callsPerMinute = 1_000_000 }: NodesUnderTest) =>
  ChainClientLive.pipe(
    Layer.provide(
      Layer.succeed(Settings, {
        ...settings,
        quotas: { ...settings.quotas, rpc: callsPerMinute },
        chains: [{ chainId, confirmations: 2, urls: urls.map(url => Redacted.make(url)) }]
      })
    )
  )
