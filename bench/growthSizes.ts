/** How large tables are, how much of them is dead, and what was read of them row by row. */
import pg from "pg"

export interface TableSize {
  readonly name: string
  readonly rows: number
  readonly table: number
  readonly indexes: number
  readonly dead: number
  /** Rows that sequential scans read since the statistics were reset. */
  readonly scanned: number
}

const SIZES = `
  SELECT s.relname AS name, s.n_live_tup::float8 AS rows, pg_table_size(s.relid)::float8 AS table,
    pg_indexes_size(s.relid)::float8 AS indexes, s.n_dead_tup::float8 AS dead, s.seq_tup_read::float8 AS scanned
  FROM pg_stat_user_tables s WHERE s.n_live_tup > 0 ORDER BY pg_total_relation_size(s.relid) DESC LIMIT 18`

const withClient = async <A>(url: string, use: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

export const sizesOf = (url: string): Promise<ReadonlyArray<TableSize>> =>
  withClient(url, async client => (await client.query<TableSize>(SIZES)).rows)

export const resetStatistics = (url: string): Promise<void> =>
  withClient(url, async client => {
    await client.query("SELECT pg_stat_reset()")
    await client.query("ANALYZE")
  })
