/** Whether this process can do its work: a real write in the database, its migrations, and how its sources are. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { ChainClient } from "../../chain/ChainClient.ts"
import { Indexer } from "../../indexer/Indexer.ts"
import type { Network } from "../../indexer/IndexerSchemas.ts"
import { packageRoot } from "../../settings/PackageRoot.ts"
import { Settings } from "../../settings/Settings.ts"
import { Manifests } from "../../smartaccounts/Manifests.ts"
import { providerAnswers } from "../../sponsorship/ProviderAnswers.ts"
import { bundlerAnswers } from "../../useroperations/BundlerAnswers.ts"

export type State = "healthy" | "degraded" | "unhealthy"

export interface Part {
  readonly name: string
  readonly state: State
  /** What the state rests on, where that is more than the state itself. */
  readonly facts?: Readonly<Record<string, unknown>>
}

export interface Readiness {
  readonly status: State
  readonly parts: ReadonlyArray<Part>
}

const DEADLINE = "2 seconds"
/** Many who ask at once share one look. */
const LOOK_LASTS = "1 second"
const CONCURRENTLY = { concurrency: "unbounded" } as const

/** Disconnected, so that a statement that ignores its end cannot hold the answer. */
const within = <A, E, R>(name: string, check: Effect.Effect<A, E, R>, state: (found: A) => State) =>
  check.pipe(
    Effect.map((found): Part => ({ name, state: state(found) })),
    Effect.disconnect,
    Effect.timeout(DEADLINE),
    Effect.catchAllCause(() => Effect.succeed<Part>({ name, state: "unhealthy" }))
  )

/** As what does not answer: nobody waits for it longer. */
const inTime = Effect.timeoutTo({
  duration: DEADLINE,
  onTimeout: () => false,
  onSuccess: (answers: boolean) => answers
})

const working = (isWorking: boolean): { readonly state: State } => ({
  state: isWorking ? "healthy" : "degraded"
})

const write = (sql: SqlClient.SqlClient) => sql`
  INSERT INTO readiness_probe (written_at) VALUES (clock_timestamp())
  ON CONFLICT (single) DO UPDATE SET written_at = excluded.written_at`

const applied = (sql: SqlClient.SqlClient, names: ReadonlyArray<string>) => sql<{ found: number }>`
  SELECT count(*) AS found FROM migrations WHERE ${sql.in("name", names)}`

const silentChains: ReadonlyArray<Part> = [{ name: "chains", state: "unhealthy" }]

const chainParts = Effect.flatMap(ChainClient, ({ health }) =>
  health.pipe(
    Effect.map(
      (all): ReadonlyArray<Part> =>
        all.map(({ chainId, state, headAgeSeconds, latencyMs }) => ({
          name: `chain ${chainId}`,
          state,
          facts: { headAgeSeconds, latencyMs }
        }))
    ),
    Effect.disconnect,
    Effect.timeoutTo({ duration: DEADLINE, onTimeout: () => silentChains, onSuccess: parts => parts })
  )
)

const indexerParts = Effect.flatMap(Effect.all([Settings, Indexer]), ([{ indexer }, { answers }]) => {
  const part = (network: Network, configured: boolean): Effect.Effect<Part> =>
    Effect.map(configured ? answers(network) : Effect.succeed(true), isWorking => ({
      name: `indexer ${network}`,
      ...working(isWorking),
      facts: { configured }
    }))
  return Effect.all(
    [part("mainnet", indexer.mainnetUrl !== undefined), part("testnet", indexer.testnetUrl !== undefined)],
    CONCURRENTLY
  )
})

const providerPart = Effect.flatMap(Settings, ({ sponsorship }) => {
  const configured = sponsorship.providerUrl !== undefined
  return (configured ? providerAnswers(sponsorship) : Effect.succeed(true)).pipe(
    inTime,
    Effect.map((isWorking): Part => ({ name: "provider", ...working(isWorking), facts: { configured } }))
  )
})

const bundlerParts = Effect.flatMap(Settings, ({ userOperations }) =>
  Effect.forEach(
    userOperations.bundlers,
    bundler =>
      bundlerAnswers(bundler).pipe(
        inTime,
        Effect.map((isWorking): Part => ({ name: `bundler:${bundler.chainId}`, ...working(isWorking) }))
      ),
    CONCURRENTLY
  )
)

const MANIFEST_STATES = { verified: "healthy", drifted: "degraded", unverified: "degraded" } as const

/** As they were last looked at, which happens each minute. */
const manifestParts = Effect.flatMap(Manifests, ({ all, last }) =>
  Effect.forEach(
    all,
    manifest => {
      const name = `manifest ${manifest.id}`
      return last(manifest).pipe(
        Effect.map(
          ({ state, pin, checkedAt }): Part => ({
            name,
            state: MANIFEST_STATES[state],
            facts: { state, ...(pin === undefined ? {} : { pin }), checkedAt }
          })
        ),
        Effect.disconnect,
        Effect.timeout(DEADLINE),
        Effect.catchAll(() => Effect.succeed<Part>({ name, state: "degraded" }))
      )
    },
    CONCURRENTLY
  )
)

const sources = Effect.map(
  Effect.all(
    [chainParts, indexerParts, Effect.map(providerPart, part => [part]), bundlerParts, manifestParts],
    CONCURRENTLY
  ),
  parts => parts.flat()
)

/** Without database nothing works; without a chain everything else still does. */
const overall = (needed: ReadonlyArray<Part>, others: ReadonlyArray<Part>): State => {
  if (needed.some(({ state }) => state === "unhealthy")) return "unhealthy"
  return [...needed, ...others].every(({ state }) => state === "healthy") ? "healthy" : "degraded"
}

/** Gives the effect that looks, at most once a second. */
export const makeReadiness = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const names = yield* Effect.promise(() => readdir(join(packageRoot, "migrations")))
  const expected = names.filter(name => name.endsWith(".sql"))
  const context = yield* Effect.context<ChainClient | Manifests | Settings>()
  const complete = ([row]: ReadonlyArray<{ readonly found: number }>): State =>
    row?.found === expected.length ? "healthy" : "unhealthy"
  const checks = [
    within("database", write(sql), () => "healthy"),
    within("migrations", applied(sql, expected), complete)
  ]
  const look = Effect.gen(function* () {
    const [needed, others] = yield* Effect.all([Effect.all(checks, CONCURRENTLY), sources], CONCURRENTLY)
    return { status: overall(needed, others), parts: [...needed, ...others] } satisfies Readiness
  }).pipe(Effect.provide(context))
  return yield* Effect.cachedWithTTL(look, LOOK_LASTS)
})
