/** Settings as a test needs them; a database's URL is the test's own affair. */
import { Redacted } from "effect"
import type { SettingsShape } from "../../src/settings/Settings.ts"

const standard: SettingsShape = {
  host: "127.0.0.1",
  port: 0,
  opsPort: 0,
  audience: "https://service.test",
  dataDirectory: "unused",
  databaseUrl: undefined,
  databaseConnections: 10,
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
  quotas: { owner: 300, bots: 300, address: 600, rpc: 20_000 },
  maximumInWork: 256,
  trustedProxies: [],
  accountCap: 100_000,
  reviewSecret: Redacted.make("a review secret for tests, 32 bytes and more"),
  otlpEndpoint: undefined,
  log: { level: "error", format: "json" },
  metricsToken: undefined
}

export const testSettings = (over: Partial<SettingsShape> = {}): SettingsShape => ({ ...standard, ...over })
