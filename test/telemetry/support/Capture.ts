/** Log lines in memory instead of on standard output. */
import { Effect, Layer, Redacted } from "effect"
import { Settings, type SettingsShape } from "../../../src/settings/Settings.ts"
import { LogSink } from "../../../src/telemetry/LogSink.ts"

const settings = (log: SettingsShape["log"]): SettingsShape => ({
  host: "127.0.0.1",
  port: 1,
  opsPort: 2,
  chainPort: 0,
  localChain: "auto",
  audience: "http://localhost:1",
  dataDirectory: "unused",
  databaseUrl: undefined,
  databaseConnections: 2,
  processes: 1,
  chains: [],
  headMaximumAgeSeconds: 60,
  indexer: { mainnetUrl: undefined, testnetUrl: undefined, headers: Redacted.make({}) },
  plans: {
    ttlSeconds: 300,
    maximumGas: 1n,
    maximumFeePerGas: 1n,
    maximumTransactionCost: 1n,
    maximumRawBytes: 1,
    maximumAccessListItems: 1
  },
  sponsorship: {
    providerUrl: undefined,
    providerHeaders: Redacted.make({}),
    requestSeconds: 120,
    maximumGas: 1n,
    maximumFunding: 1n,
    payments: [],
    recordsPerAccount: 33
  },
  userOperations: {
    bundlers: [],
    paymasters: [],
    maximumGas: {
      call: 1n,
      verification: 1n,
      preVerification: 1n,
      paymasterVerification: 1n,
      paymasterPostOp: 1n
    },
    recordsPerAccount: 33,
    traceBatches: false
  },
  sessions: { recordsPerAccount: 1000 },
  quotas: { owner: 1, bots: 1, address: 1, rpc: 1 },
  maximumInWork: 1,
  sandboxManifest: undefined,
  smartManifests: undefined,
  walletPayments: undefined,
  trustedProxies: [],
  accountCap: 1,
  enrolmentsPerAddress: 0,
  opsNames: [],
  readiness: { needs: [], deadlineMillis: 2_000 },
  tracePercent: 5,
  reviewSecret: Redacted.make("unused"),
  reviewTtlSeconds: 600,
  otlpEndpoint: undefined,
  log,
  metricsToken: undefined
})

/** Runs the effect to its end and gives every text that was written meanwhile. */
export const capturing = <E>(
  log: SettingsShape["log"],
  effect: Effect.Effect<unknown, E, LogSink | Settings>
): Effect.Effect<ReadonlyArray<string>, E> => {
  const written: Array<string> = []
  const sink = LogSink.to((text, done) => {
    written.push(text)
    done()
  })
  return effect.pipe(
    Effect.provide(Layer.provideMerge(sink, Layer.succeed(Settings, settings(log)))),
    Effect.as(written)
  )
}

export const linesOf = (written: ReadonlyArray<string>): ReadonlyArray<Record<string, unknown>> =>
  written
    .join("")
    .split("\n")
    .filter(line => line !== "")
    .map(line => JSON.parse(line))
