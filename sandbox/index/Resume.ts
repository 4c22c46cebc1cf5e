/** Takes the tables over where an earlier process left them, or makes them anew. */
import { createHash } from "node:crypto"
import { Client } from "pg"
import { quoted } from "./Sql.ts"
import { createTables, type Place } from "./Tables.ts"

/** Raised when the same events become other rows. */
const ROWS = 1

const LOCK = "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken"
const COMMENT = "SELECT obj_description(oid, 'pg_namespace') AS made_of FROM pg_namespace WHERE nspname = $1"

const madeOf = (place: Place): string =>
  createHash("sha256")
    .update(`${ROWS}\n${createTables(place)}`)
    .digest("hex")

interface Held {
  readonly resumed: boolean
  readonly release: () => Promise<void>
}

/** Fails when another process follows a chain into the same tables. */
export const takeOver = async (databaseUrl: string, place: Place): Promise<Held> => {
  const client = new Client({ connectionString: databaseUrl })
  client.on("error", () => {})
  await client.connect()
  try {
    const lock = await client.query<{ taken: boolean }>(LOCK, [`sandbox index ${place.schema}`])
    if (lock.rows[0]?.taken !== true)
      throw new Error(`another process follows its chain into the schema ${place.schema} of this database`)
    const found = await client.query<{ made_of: string | null }>(COMMENT, [place.schema])
    const resumed = found.rows[0]?.made_of === madeOf(place)
    if (!resumed)
      await client.query(
        `BEGIN; ${createTables(place)}; COMMENT ON SCHEMA ${quoted(place.schema)} IS '${madeOf(place)}'; COMMIT`
      )
    return { resumed, release: () => client.end() }
  } catch (cause) {
    await client.end()
    throw cause
  }
}
