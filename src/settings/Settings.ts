/** What the operator decided, decoded once. */
import { Context, type Redacted } from "effect"

export interface ChainSettings {
  readonly chainId: number
  readonly urls: ReadonlyArray<Redacted.Redacted<string>>
  readonly confirmations: number
}

export interface SettingsShape {
  readonly host: string
  readonly port: number
  readonly opsPort: number
  /** The public URL without trailing slash: what every signature is bound to. */
  readonly audience: string
  readonly dataDirectory: string
  /** Absent: embedded PostgreSQL under the data directory. */
  readonly databaseUrl: Redacted.Redacted<string> | undefined
  readonly databaseConnections: number
  readonly chains: ReadonlyArray<ChainSettings>
  readonly headMaximumAgeSeconds: number
  readonly indexer: {
    readonly mainnetUrl: Redacted.Redacted<string> | undefined
    readonly testnetUrl: Redacted.Redacted<string> | undefined
    readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  }
  readonly plans: {
    readonly ttlSeconds: number
    readonly maximumGas: bigint
    readonly maximumFeePerGas: bigint
    readonly maximumTransactionCost: bigint
    readonly maximumRawBytes: number
    readonly maximumAccessListItems: number
  }
  readonly quotas: {
    readonly owner: number
    readonly bots: number
    readonly address: number
    readonly rpc: number
  }
  readonly maximumInWork: number
  /** Addresses or CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: ReadonlyArray<string>
  readonly accountCap: number
  readonly reviewSecret: Redacted.Redacted<string> | undefined
  readonly otlpEndpoint: Redacted.Redacted<string> | undefined
  readonly log: { readonly level: "debug" | "info" | "warning" | "error"; readonly format: "json" | "pretty" }
  readonly metricsToken: Redacted.Redacted<string> | undefined
}

export class Settings extends Context.Tag("settings/Settings")<Settings, SettingsShape>() {}
