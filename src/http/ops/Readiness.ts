/** Whether this process can do its work: a real write in the database, its migrations, and how what it asks is now. What does not answer in time hangs, and is not ready. */
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Clock, Effect } from "effect"
import { ChainClient } from "../../chain/ChainClient.ts"
import { DatabaseClock } from "../../database/DatabaseClock.ts"
import { DatabaseHistory } from "../../database/DatabaseHistory.ts"
import { Indexer } from "../../indexer/Indexer.ts"
import { packageRoot } from "../../settings/PackageRoot.ts"
import { Settings, type SettingsShape } from "../../settings/Settings.ts"
import { Manifests } from "../../smartaccounts/Manifests.ts"
import { providerAnswers } from "../../sponsorship/ProviderAnswers.ts"
import { bundlerAnswers } from "../../useroperations/BundlerAnswers.ts"
import { sharedFor } from "../../values/SteadyClock.ts"

/** Degraded works, though not with all that it was given. */
export const PART_STATES = ["healthy", "degraded", "unhealthy"] as const

export type PartState = (typeof PART_STATES)[number]

export interface Part {
  readonly name: string
  readonly state: PartState
  /** What the state rests on, where that is more than the state itself. */
  readonly facts?: Readonly<Record<string, unknown>>
}

export interface Readiness {
  readonly status: PartState
  readonly parts: ReadonlyArray<Part>
}

/** Many who ask at once share one look. */
const LOOK_LASTS = "1 second"
/** No longer than those wait who asked while it was under way. */
const PROBE_LASTS = "50 millis"
const CONCURRENTLY = { concurrency: "unbounded" } as const
/** Without these nothing works. */
const ALWAYS_NEEDED = ["database", "migrations"]

/** Disconnected, so that what ignores its end cannot hold the answer. */
const inTime = <A, E, R>(check: Effect.Effect<A, E, R>, late: A, allowanceMillis = 0) =>
  Effect.flatMap(Settings, ({ readiness }) =>
    check.pipe(
      Effect.disconnect,
      Effect.timeout(readiness.deadlineMillis + allowanceMillis),
      Effect.catchAllCause(() => Effect.succeed(late))
    )
  )

const answering = (name: string, answers: boolean): Part => ({
  name,
  state: answers ? "healthy" : "unhealthy"
})

/** Of what may be left out. */
const configurable = <E, R>(name: string, configured: boolean, answers: Effect.Effect<boolean, E, R>) =>
  Effect.map(
    configured ? inTime<boolean, E, R>(answers, false) : Effect.succeed(true),
    (works): Part => ({ ...answering(name, works), facts: { configured } })
  )

const write = (sql: SqlClient.SqlClient) => sql`
  INSERT INTO readiness_probe (written_at) VALUES (clock_timestamp())
  ON CONFLICT (single) DO UPDATE SET written_at = excluded.written_at`

const applied = (sql: SqlClient.SqlClient, names: ReadonlyArray<string>) => sql<{ found: number }>`
  SELECT count(*) AS found FROM migrations WHERE ${sql.in("name", names)}`

/** One of each at a time is under way, and is heard to its end where its look ends before: a silent server has no more connections of the pool. */
const makeProbes = (sql: SqlClient.SqlClient, expected: ReadonlyArray<string>) => {
  const all = Effect.map(applied(sql, expected), ([row]) => row?.found === expected.length)
  return Effect.all({
    written: sharedFor(Effect.uninterruptible(write(sql)), PROBE_LASTS),
    applied: sharedFor(Effect.uninterruptible(all), PROBE_LASTS)
  })
}

type Probes = Effect.Effect.Success<ReturnType<typeof makeProbes>>

/** It works though it lost something: whoever looks is to know that. */
const databasePart = ({ written }: Probes) =>
  Effect.gen(function* () {
    const part = answering("database", yield* inTime(Effect.as(written, true), false))
    const isBehind = yield* Effect.flatMap(DatabaseHistory, ({ isBehind }) => isBehind)
    return isBehind && part.state === "healthy"
      ? { ...part, state: "degraded" as const, facts: { behind: true } }
      : part
  })

const databaseParts = (probes: Probes) =>
  Effect.all(
    [
      databasePart(probes),
      Effect.map(inTime(probes.applied, false), works => answering("migrations", works))
    ],
    CONCURRENTLY
  )

/** For a look that keeps the deadline itself. */
const ALLOWANCE_MS = 500

const CLOCK_DIFFERS_SECONDS = 5

/** Of this machine before the database: by as much every head seems older than it is. */
const clockAhead = Effect.gen(function* () {
  const { estimate } = yield* DatabaseClock
  const seconds = Math.round(((yield* Clock.currentTimeMillis) - (yield* estimate)) / 1_000)
  return seconds >= CLOCK_DIFFERS_SECONDS ? { clockAheadSeconds: seconds } : {}
})

/** Each by its own name, though none is heard of. */
const chainParts = Effect.gen(function* () {
  const { chains } = yield* Settings
  const { health } = yield* ChainClient
  const heard = Effect.zipWith(health, clockAhead, (all, ahead) =>
    all.map(({ chainId, state, ...facts }): Part => {
      const name = `chain:${chainId}`
      return { name, state, facts: state === "healthy" ? facts : { ...facts, ...ahead } }
    })
  )
  const silent = chains.map(({ chainId }) => answering(`chain:${chainId}`, false))
  return yield* inTime(heard, silent, ALLOWANCE_MS)
})

const indexerParts = Effect.flatMap(Effect.all([Settings, Indexer]), ([{ indexer }, { answers }]) =>
  Effect.all(
    [
      configurable("indexer:mainnet", indexer.mainnetUrl !== undefined, answers("mainnet")),
      configurable("indexer:testnet", indexer.testnetUrl !== undefined, answers("testnet"))
    ],
    CONCURRENTLY
  )
)

const providerPart = Effect.flatMap(Settings, ({ sponsorship }) =>
  configurable("provider", sponsorship.providerUrl !== undefined, providerAnswers(sponsorship))
)

const bundlerParts = Effect.flatMap(Settings, ({ userOperations }) =>
  Effect.forEach(
    userOperations.bundlers,
    bundler =>
      Effect.map(inTime(bundlerAnswers(bundler), false), works =>
        answering(`bundler:${bundler.chainId}`, works)
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
      const name = `manifest:${manifest.id}`
      const seen = Effect.map(
        last(manifest),
        ({ state, pin, checkedAt }): Part => ({
          name,
          state: MANIFEST_STATES[state],
          facts: { state, ...(pin === undefined ? {} : { pin }), checkedAt }
        })
      )
      return inTime(seen, { name, state: "degraded" })
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

/** What is needed and not there is not ready. */
const withMissing = (
  parts: ReadonlyArray<Part>,
  { needs }: SettingsShape["readiness"]
): ReadonlyArray<Part> => [
  ...parts,
  ...needs
    .filter(need => parts.every(({ name }) => name !== need))
    .map((name): Part => ({ name, state: "unhealthy", facts: { configured: false } }))
]

const isUnmet = ({ name, state, facts }: Part, needed: ReadonlyArray<string>): boolean =>
  needed.includes(name) && (state === "unhealthy" || facts?.configured === false)

const overall = (parts: ReadonlyArray<Part>, { needs }: SettingsShape["readiness"]): PartState => {
  if (parts.some(part => isUnmet(part, [...ALWAYS_NEEDED, ...needs]))) return "unhealthy"
  return parts.every(({ state }) => state === "healthy") ? "healthy" : "degraded"
}

/** Gives the effect that looks, at most once a second. */
export const makeReadiness = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const names = yield* Effect.promise(() => readdir(join(packageRoot, "migrations")))
  const expected = names.filter(name => name.endsWith(".sql"))
  const context = yield* Effect.context<
    ChainClient | DatabaseClock | DatabaseHistory | Manifests | Settings
  >()
  const { readiness } = yield* Settings
  const probes = yield* makeProbes(sql, expected)
  const look = Effect.gen(function* () {
    const found = yield* Effect.all([databaseParts(probes), sources], CONCURRENTLY)
    const parts = withMissing(found.flat(), readiness)
    return { status: overall(parts, readiness), parts } satisfies Readiness
  }).pipe(Effect.provide(context))
  return yield* sharedFor(look, LOOK_LASTS)
})
