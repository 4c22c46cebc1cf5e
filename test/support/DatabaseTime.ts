/** Sets the clock of a test's own database, which alone decides what is in time. */
import { connected } from "./Sql.ts"

const define = (name: string, value: string) =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT (${value})::bigint $$`

const setClock = async (databaseUrl: string, millis: string): Promise<void> => {
  const client = await connected(databaseUrl)
  try {
    await client.query(define("unix_millis", `floor(${millis})`))
    await client.query(define("unix_seconds", `floor((${millis}) / 1000)`))
  } finally {
    await client.end()
  }
}

const RUNNING = "extract(epoch FROM clock_timestamp()) * 1000"

/** The clock stands at this second until it is set again. */
export const stopClock = (databaseUrl: string, seconds: number): Promise<void> =>
  setClock(databaseUrl, `${seconds} * 1000.0`)

/** The clock runs, this much ahead of the true time. */
export const runClock = (databaseUrl: string, aheadSeconds = 0): Promise<void> =>
  setClock(databaseUrl, `${RUNNING} + ${aheadSeconds * 1000}`)
