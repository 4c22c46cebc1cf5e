/** What the operator decided, decoded once. */
import { Context, Data, Effect, Either, Layer, Redacted } from "effect"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { keptSecret } from "./DataDirectory.ts"
import { decodeSettings, type Environment, problemLine } from "./decode.ts"
import type { OperationSettings } from "./operations.ts"
import type { WalletPaymentSettings } from "./payments.ts"
import type { StartFailure } from "./StartFailure.ts"

export interface ChainSettings {
  readonly chainId: number
  readonly urls: ReadonlyArray<Redacted.Redacted<string>>
  readonly confirmations: number
}

/** Where the prepaid provider is paid on a chain. */
export interface PaymentContract {
  readonly chainId: number
  readonly address: Address
  readonly runtimeCodeHash: Bytes32
}

export interface SettingsShape {
  readonly host: string
  readonly port: number
  readonly opsPort: number
  /** Of the embedded chain's node, where it is free. */
  readonly chainPort: number
  readonly localChain: "auto" | "on"
  /** The public URL without trailing slash: what every signature is bound to. */
  readonly audience: string
  readonly dataDirectory: string
  /** Absent: embedded PostgreSQL under the data directory. */
  readonly databaseUrl: Redacted.Redacted<string> | undefined
  readonly databaseConnections: number
  /** More than one: this process starts and watches them, and serves nothing itself. */
  readonly processes: number
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
  readonly sponsorship: {
    /** Absent: nothing is sponsored. */
    readonly providerUrl: Redacted.Redacted<string> | undefined
    readonly providerHeaders: Redacted.Redacted<Readonly<Record<string, string>>>
    /** How long a forward request can be executed. */
    readonly requestSeconds: number
    readonly maximumGas: bigint
    readonly maximumFunding: bigint
    /** At most one on a chain. */
    readonly payments: ReadonlyArray<PaymentContract>
    readonly recordsPerAccount: number
  }
  readonly userOperations: OperationSettings
  readonly sessions: { readonly recordsPerAccount: number }
  readonly quotas: {
    readonly owner: number
    readonly bots: number
    readonly address: number
    readonly rpc: number
  }
  readonly maximumInWork: number
  /** A deployment manifest that overlays the pinned catalog. */
  readonly sandboxManifest: string | undefined
  /** A file of manifests; absent: no smart accounts. */
  readonly smartManifests: string | undefined
  /** Absent: no payment is reviewed. */
  readonly walletPayments: WalletPaymentSettings | undefined
  /** Addresses or CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: ReadonlyArray<string>
  readonly accountCap: number
  /** New accounts of one client address on a day; 0 for no bound. */
  readonly enrolmentsPerAddress: number
  /** Names besides its own by which the operators' listener may be asked. */
  readonly opsNames: ReadonlyArray<string>
  readonly readiness: {
    /** Parts besides database and migrations without which the service is not ready. */
    readonly needs: ReadonlyArray<string>
    /** What takes longer to answer hangs. */
    readonly deadlineMillis: number
  }
  /** Of a hundred requests or plans. */
  readonly tracePercent: number
  /** Keys review tokens and cursors. */
  readonly reviewSecret: Redacted.Redacted<string>
  /** The one before it: what it keyed is good until it ends by itself. */
  readonly previousReviewSecret?: Redacted.Redacted<string> | undefined
  /** How long a review token holds. */
  readonly reviewTtlSeconds: number
  readonly otlpEndpoint: Redacted.Redacted<string> | undefined
  readonly log: { readonly level: "debug" | "info" | "warning" | "error"; readonly format: "json" | "pretty" }
  readonly metricsToken: Redacted.Redacted<string> | undefined
}

/** What is made is keyed by the first, what is given by any of them. */
export const reviewKeys = ({
  reviewSecret,
  previousReviewSecret
}: Pick<SettingsShape, "reviewSecret" | "previousReviewSecret">): readonly [string, ...Array<string>] => [
  Redacted.value(reviewSecret),
  ...(previousReviewSecret === undefined ? [] : [Redacted.value(previousReviewSecret)])
]

/** Before the data directory is asked for what the environment leaves out. */
export type DecodedSettings = Omit<SettingsShape, "reviewSecret"> & {
  readonly reviewSecret: Redacted.Redacted<string> | undefined
}

/** Its message has one line for each variable that is wrong. */
export class InvalidSettings extends Data.TaggedError("InvalidSettings")<{ readonly message: string }> {}

const completed = Effect.fn("Settings.completed")(function* (environment: Environment) {
  const decoded = decodeSettings(environment)
  if (Either.isLeft(decoded))
    return yield* new InvalidSettings({ message: decoded.left.map(problemLine).join("\n") })
  const settings = decoded.right
  const reviewSecret = settings.reviewSecret ?? (yield* keptSecret(settings.dataDirectory, "review-secret"))
  return { ...settings, reviewSecret }
})

export class Settings extends Context.Tag("settings/Settings")<Settings, SettingsShape>() {
  static readonly from = (environment: Environment): Layer.Layer<Settings, InvalidSettings | StartFailure> =>
    Layer.effect(Settings, completed(environment))

  static readonly layer = Layer.suspend(() => Settings.from(process.env))
}
