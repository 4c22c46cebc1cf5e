/** The pool of connections: every parameterised statement is prepared, every wait is bounded by the server. */
import { createHash } from "node:crypto"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Layer, Metric, MetricBoundaries, Predicate, Redacted } from "effect"
import pg from "pg"
import { StartFailure, systemCode } from "../settings/StartFailure.ts"
import { atScrape } from "../telemetry/AtScrape.ts"
import { refuseTransactionPooling } from "./Pooler.ts"
import { sayRefusal } from "./RefusalLog.ts"
import { DatabaseUnavailable } from "./refusals.ts"
import { refuseOldServer } from "./ServerVersion.ts"

export const LOCK_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5_000
/** Longer than the server lets any statement take: it is gone, and nothing else would ever say so. */
const SILENCE_MS = 20_000
/** Translators of addresses forget a connection on which nothing moves, as while a long migration runs. */
const PROBE_MS = 30_000
const INT8_OID = 20
const NAMES_KEPT = 1_000

const names = new Map<string, string>()

const nameOf = (text: string): string => {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash("sha1").update(text).digest("base64url")
  if (names.size < NAMES_KEPT) names.set(text, name)
  return name
}

const READ_ONLY = "25006"

type Answered = (error: unknown, result: unknown) => void

/** What the server did not say itself leaves open what its connection is at. */
const isLost = (error: unknown): boolean =>
  error instanceof Error && (!(error instanceof pg.DatabaseError) || error.code === READ_ONLY)

/** A later build gave a table further columns, so that what was prepared before would give other rows: nothing of it was run. */
const isOutgrown = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery"

/** Names each parameterised statement by its text, so that PostgreSQL plans it once per connection; leaves a server that turned read-only or silent, and prepares anew what was outgrown. */
class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on("error", () => {})
    const submit = this.query
    const outgrown = new Map<string, number>()
    const leaving =
      (callback: Answered): Answered =>
      (error, result) => {
        if (isLost(error)) void this.end()
        callback(error, result)
      }
    const named = (text: string, values: ReadonlyArray<unknown>, answered: unknown) => {
      const name = `${nameOf(text)}${outgrown.get(text) ?? ""}`
      return Reflect.apply(submit, this, [{ name, text, values }, answered])
    }
    const anew =
      (text: string, values: ReadonlyArray<unknown>, answered: Answered): Answered =>
      (error, result) => {
        if (!isOutgrown(error)) return answered(error, result)
        outgrown.set(text, (outgrown.get(text) ?? 0) + 1)
        named(text, values, answered)
      }
    const prepared = (text: unknown, values: unknown, callback: unknown) => {
      const answered = typeof callback === "function" ? leaving((...given) => callback(...given)) : undefined
      if (typeof text !== "string" || !Array.isArray(values) || values.length === 0)
        return Reflect.apply(submit, this, [text, values, answered ?? callback])
      return named(text, values, answered === undefined ? callback : anew(text, values, answered))
    }
    Object.defineProperty(this, "query", { value: prepared })
  }
}

/** Said once on each connection rather than as it starts: poolers refuse parameters of a start that they do not know. */
const BOUNDS = `SET lock_timeout = ${LOCK_TIMEOUT_MS}; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT_MS}`

/** Before anything that the connection is taken for. */
const bound = (client: pg.ClientBase) => client.query(BOUNDS)

/** Every stored bigint fits a JavaScript integer; contract-width integers are stored as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (Number(oid) === INT8_OID ? Number : pg.types.getTypeParser(oid, format))
}

export interface PoolOptions {
  readonly url: Redacted.Redacted<string>
  readonly connections: number
  /** How long a statement may be unanswered before its connection is given up. */
  readonly silenceMillis?: number
}

/** What the URL says is read again for each connection, where nobody could be told of a fault. */
const refuseUnreadable = ({ url }: PoolOptions) =>
  Effect.try({
    try: () => new pg.Client({ connectionString: Redacted.value(url) }),
    catch: cause =>
      new StartFailure({
        message: `SERVICE_DATABASE_URL cannot be used (${systemCode(cause)}): check its escapes, and the certificates' files that it names.`
      })
  })

const acquirePool = ({ url, connections, silenceMillis = SILENCE_MS }: PoolOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({
        connectionString: Redacted.value(url),
        Client: PreparingClient,
        onConnect: bound,
        types,
        max: connections,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        idleTimeoutMillis: 60_000,
        keepAlive: true,
        keepAliveInitialDelayMillis: PROBE_MS,
        query_timeout: silenceMillis,
        application_name: "signed-request-service"
      })
      pool.on("error", () => {})
      timeWaits(pool)
      return pool
    }),
    pool => Effect.promise(() => pool.end())
  ).pipe(Effect.tap(pool => showPool(pool, connections)))

/** The reason is a code, such as ECONNREFUSED or 28P01, or what the driver says of the connection. */
export const databaseUnusable = (reason?: string) =>
  new StartFailure({
    message: `Cannot use the database${reason === undefined ? "" : ` (${reason})`}: check SERVICE_DATABASE_URL and that PostgreSQL 15 or later accepts connections.`
  })

const refuseUnconnected = ({ cause }: SqlError) => {
  const { code, message } = Object(cause)
  const reason: unknown = code ?? message
  return Effect.fail(databaseUnusable(Predicate.isString(reason) ? reason : undefined))
}

const connected = (options: PoolOptions) =>
  Effect.zipRight(refuseUnreadable(options), PgClient.fromPool({ acquire: acquirePool(options) })).pipe(
    Effect.tap(refuseOldServer),
    Effect.tap(refuseTransactionPooling(options.url)),
    Effect.catchTag("SqlError", refuseUnconnected)
  )

export const poolLayer = (options: PoolOptions) =>
  Layer.scoped(SqlClient.SqlClient, connected(options)).pipe(Layer.provide(Reactivity.layer))

const connections = Metric.gauge("service_database_connections", {
  description: "Connections of the pool, by what they do."
})
const limit = Metric.gauge("service_database_connections_limit", {
  description: "Connections that the pool opens at most."
})
const waiting = Metric.gauge("service_database_waiting", {
  description: "Callers that wait for a connection."
})
const waited = Metric.histogram(
  "service_database_wait_seconds",
  MetricBoundaries.fromIterable([0.0005, 0.002, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]),
  "Seconds that callers waited for a connection of the pool."
)

const inUse = Metric.tagged(connections, "state", "used")
const idle = Metric.tagged(connections, "state", "idle")

type Connected = Parameters<pg.Pool["connect"]>[0]

/** A caller of the pool that gives no callback is not ours. */
const timeWaits = (pool: pg.Pool): void => {
  const connect = pool.connect.bind(pool)
  const timed = (connected?: Connected) => {
    if (connected === undefined) return connect()
    const asked = performance.now()
    return connect((...given) => {
      waited.unsafeUpdate((performance.now() - asked) / 1_000, [])
      connected(...given)
    })
  }
  Object.defineProperty(pool, "connect", { value: timed })
}

const showPool = (pool: pg.Pool, connectionLimit: number) =>
  atScrape(() => {
    inUse.unsafeUpdate(pool.totalCount - pool.idleCount, [])
    idle.unsafeUpdate(pool.idleCount, [])
    waiting.unsafeUpdate(pool.waitingCount, [])
    limit.unsafeUpdate(connectionLimit, [])
  })

/** Connections, credentials, the database's name, resources, operators, and what is outside PostgreSQL itself, as disks. */
const INFRASTRUCTURE_CLASSES = new Set(["08", "28", "3D", "53", "57", "58"])
const INFRASTRUCTURE_STATES = new Set(["25006", "25P02", "25P03", "40001", "40P01", "55000", "55P03"])

/** The server's code of what went wrong, where it said so itself. */
export const sqlStateOf = (error: SqlError): string | undefined => {
  const { cause } = error
  if (!Predicate.hasProperty(cause, "severity") || !Predicate.hasProperty(cause, "code")) return undefined
  return Predicate.isString(cause.code) ? cause.code : undefined
}

/** A failure without an SQLSTATE never reached a statement: the connection is at fault. */
const isInfrastructure = (error: SqlError): boolean => {
  const state = sqlStateOf(error)
  return (
    state === undefined || INFRASTRUCTURE_STATES.has(state) || INFRASTRUCTURE_CLASSES.has(state.slice(0, 2))
  )
}

export const isSqlError = (error: unknown): error is SqlError => Predicate.isTagged(error, "SqlError")

const refuse = (error: SqlError) =>
  isInfrastructure(error) ? Effect.zipRight(sayRefusal(error), new DatabaseUnavailable()) : Effect.die(error)

/** Tells the database's bad days, which callers must live with, from our own mistakes, which die. */
export const refusingWork = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const isSql = (error: E): error is Extract<E, SqlError> => isSqlError(error)
  return Effect.catchIf(effect, isSql, refuse)
}

/** The driver ends an interrupted statement by a word about its connection, which may come when that has another's already: so it is heard to its end. */
export const refusingSql = <A, E, R>(statement: Effect.Effect<A, E, R>) =>
  refusingWork(Effect.uninterruptible(statement))
