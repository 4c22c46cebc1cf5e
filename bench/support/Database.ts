/** Databases on one embedded PostgreSQL with the durability of production, filled with accounts. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import pg from "pg"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { EmbeddedPostgres } from "../../src/embedded/Postgres.ts"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { passableDirectory } from "../../test/support/PassableDirectory.ts"
import type { BenchAccount } from "./Requests.ts"
import { CHAIN } from "./Requests.ts"

export interface BenchServer {
  readonly database: (name: string) => Promise<string>
  readonly stop: () => Promise<void>
}

export const query = async (
  url: string,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text, [...values])
  } finally {
    await client.end()
  }
}

/** So many files of the log, of 16 MiB each, are enough for every benchmark. */
const LOG_FILES = 64
const LOG_SETTINGS = { min_wal_size: "1GB", max_wal_size: "4GB" }

/** As a database that has run for a while: it reuses the files of its log, where a new one makes each while all commits wait. */
const season = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (let file = 0; file < LOG_FILES; file++) {
    await client.query("SELECT pg_logical_emit_message(false, 'bench', 'filling')")
    await client.query("SELECT pg_switch_wal()")
  }
  await client.query("CHECKPOINT")
  await client.end()
}

export const startPostgres = async (
  settings: Readonly<Record<string, string>> = {}
): Promise<BenchServer> => {
  const scope = await Effect.runPromise(Scope.make())
  const directory = await passableDirectory("bench-data-")
  const started = await Effect.runPromise(
    Scope.extend(EmbeddedPostgres.start(directory, { settings: { ...LOG_SETTINGS, ...settings } }), scope)
  )
  const root = Redacted.value(started.url)
  await season(root)
  return {
    database: async name => {
      await query(root, `CREATE DATABASE ${name}`)
      const url = new URL(root)
      url.pathname = `/${name}`
      return url.href
    },
    stop: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(directory, { recursive: true, force: true })
    }
  }
}

export const migrated = (url: string): Promise<number> =>
  Effect.runPromise(
    migrate(join(packageRoot, "migrations")).pipe(
      Effect.provide(poolLayer({ url: Redacted.make(url), connections: 2 })),
      Effect.scoped
    )
  )

export const seedAccounts = (url: string, accounts: ReadonlyArray<BenchAccount>): Promise<void> =>
  query(
    url,
    `INSERT INTO accounts (id, authority_chain_id, owner_address, created_at, updated_at)
     SELECT 'eip155:${CHAIN}:' || owner, ${CHAIN}, owner, 0, 0 FROM unnest($1::text[]) AS t (owner) ON CONFLICT DO NOTHING`,
    [accounts.map(({ key }) => key.address)]
  )

/** Accounts that exist and do nothing. */
export const seedSleepers = (url: string, count: number): Promise<void> =>
  query(
    url,
    `INSERT INTO accounts (id, authority_chain_id, owner_address, created_at, updated_at)
     SELECT 'eip155:${CHAIN}:0x' || lpad(to_hex(i), 40, '0'), ${CHAIN}, '0x' || lpad(to_hex(i), 40, '0'), 0, 0
     FROM generate_series(1, ${count}) AS t (i) ON CONFLICT DO NOTHING`
  )

/** As if each account had sent this many requests a moment ago. */
export const seedLiveNonces = (url: string, each: number): Promise<void> =>
  query(
    url,
    `WITH active AS (SELECT number FROM accounts WHERE owner_address NOT LIKE '0x00000000%'),
     nonces AS (
       INSERT INTO request_nonces SELECT number, sha256((number || ' ' || i)::bytea), unix_seconds() + 290
       FROM active, generate_series(1, ${each}) AS t (i))
     INSERT INTO request_usage SELECT number, (unix_seconds() + 290) / 60, 0, 0, ${each} FROM active
     ON CONFLICT (account, minute) DO UPDATE SET expiring = request_usage.expiring + ${each}`
  )
