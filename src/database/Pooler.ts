/** Whether a pooler stands before the server, and whether it leaves each client the connection whose prepared statements and bounds it has. */
import { Effect, Redacted } from "effect"
import pg from "pg"
import { StartFailure } from "../settings/StartFailure.ts"
import { DatabaseUnavailable } from "./refusals.ts"

const CONNECT_TIMEOUT_MS = 5_000
/** Somebody else may have had the connection that was just given back. */
const LOOKS = 5

const REASON =
  "The database is reached through a pooler that gives every transaction another connection (pool_mode = transaction or statement): the service names its prepared statements and bounds its locks on the connection that it holds, so it cannot work there. Set pool_mode = session for its database, or name the server itself in SERVICE_DATABASE_URL."

const backendOf = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
  return rows[0]?.pid ?? 0
}

/** What the client was told as it connected; a pooler tells each an own one. */
const toldOf = (client: pg.Client): number => Number(Object(client).processID)

const isShared = async (one: pg.Client, other: pg.Client): Promise<boolean> => {
  const before = await backendOf(one)
  await other.query("BEGIN")
  const beside = await backendOf(other)
  const after = await backendOf(one)
  await other.query("ROLLBACK")
  return before === beside || before !== after
}

const opened = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on("error", () => {})
  await client.connect()
  return client
}

/** With a second client that only a pooler makes necessary. */
const sharesConnections = async (one: pg.Client, url: string): Promise<boolean> => {
  if (toldOf(one) === (await backendOf(one))) return false
  const other = await opened(url)
  try {
    for (let looks = 0; looks < LOOKS; looks++) if (await isShared(one, other)) return true
    return false
  } finally {
    await other.end()
  }
}

const looked = async (url: string): Promise<boolean> => {
  const one = await opened(url)
  try {
    return await sharesConnections(one, url)
  } finally {
    await one.end()
  }
}

export const refuseTransactionPooling = (
  url: Redacted.Redacted<string>
): Effect.Effect<void, StartFailure | DatabaseUnavailable> =>
  Effect.tryPromise({ try: () => looked(Redacted.value(url)), catch: () => new DatabaseUnavailable() }).pipe(
    Effect.flatMap(shares => (shares ? new StartFailure({ message: REASON }) : Effect.void))
  )
