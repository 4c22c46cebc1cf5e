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
  SELECT s.relname AS name, pg_table_size(s.relid)::float8 AS table,
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

/** Rows are counted, since the statistics count what was just filled twice. */
export const sizesOf = (url: string): Promise<ReadonlyArray<TableSize>> =>
  withClient(url, async client => {
    const { rows: sizes } = await client.query<Omit<TableSize, "rows">>(SIZES)
    const counted: Array<TableSize> = []
    for (const size of sizes) {
      const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${size.name}`)
      counted.push({ ...size, rows: Number(rows[0]?.count) })
    }
    return counted
  })

export const resetStatistics = (url: string): Promise<void> =>
  withClient(url, async client => {
    await client.query("SELECT pg_stat_reset()")
    await client.query("ANALYZE")
  })
