/** Statements beside the service, on the service's database. */
import { Client, Pool, types } from "pg"
import { until } from "./Until.ts"

const INT8_OID = 20
types.setTypeParser(INT8_OID, Number)

export const connected = async (databaseUrl: string): Promise<Client> => {
  const client = new Client({ connectionString: databaseUrl })
  client.on("error", () => {})
  await client.connect()
  return client
}

/** A connection takes thirty times the work of most statements, and is let go soon after the last of them. */
const IDLE_MILLIS = 2_000

/** More than any test asks side by side. */
const MOST_CONNECTIONS = 64

const pools = new Map<string, Pool>()

const poolOf = (databaseUrl: string): Pool => {
  const known = pools.get(databaseUrl)
  if (known !== undefined) return known
  const pool = new Pool({
    connectionString: databaseUrl,
    max: MOST_CONNECTIONS,
    idleTimeoutMillis: IDLE_MILLIS,
    allowExitOnIdle: true
  })
  pool.on("error", () => {})
  pools.set(databaseUrl, pool)
  return pool
}

export const sqlOn = async (
  databaseUrl: string,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<ReadonlyArray<Record<string, unknown>>> =>
  (await poolOf(databaseUrl).query(text, [...values])).rows

/** Resolves once somebody waits for what this connection holds. */
export const waitedFor = async (holder: Client, databaseUrl: string): Promise<void> => {
  const { rows } = await holder.query("SELECT pg_backend_pid() AS pid")
  await until(
    () =>
      sqlOn(databaseUrl, "SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))", [
        rows[0].pid
      ]),
    waiting => waiting.length > 0
  )
}
