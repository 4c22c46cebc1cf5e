/** Fills sponsorships, operations and sessions with all that hangs on them, as copies of what the service made once. */
import pg from "pg"
import type { Amounts } from "./growthFill.ts"
import type { RecordKind, RecordPatterns } from "./growthInstant.ts"
import { say } from "./support/Figures.ts"

/** Of the newest records of each kind that these accounts get besides, so many: what their lists show. */
export interface Newest {
  readonly accountIds: ReadonlyArray<string>
  readonly each: number
}

export type Counts = Pick<Amounts, RecordKind>

/** What each copy has of its own, by columns, as expressions of its place `f`. */
type Own = Readonly<Record<string, string>>

const KEPT_MS = 30 * 86_400_000
const ARCHIVED = `CASE WHEN f.created_at < unix_millis() - ${KEPT_MS}::bigint THEN f.created_at + ${KEPT_MS}::bigint END`
const OWNER = "'owner:' || f.owner"

const plan: Own = {
  ...{ id: "f.plan", account: "f.account", principal: OWNER, created_at: "f.created_at" },
  ...{ expires_at: "f.created_at + 900000", changed_at: "f.created_at + 60000", archived_at: ARCHIVED },
  ...{ sweep_at: "NULL", pending_since: "NULL" }
}

const step: Own = { plan: "f.plan" }

const binding: Own = { plan: "f.plan", binding_id: "f.id", bound_at: "f.created_at" }

const record: Own = {
  ...{ id: "f.id", account: "f.account", principal: OWNER, plan: "f.plan" },
  ...{ created_at: "f.created_at", expires_at: "f.created_at + 900000", archived_at: ARCHIVED }
}

const key = (kind: RecordKind): Own => ({
  ...{ account: "f.account", principal: OWNER, plan: "f.plan", created_at: "f.created_at" },
  ...{ key: `'0x' || encode(sha256(('${kind}' || f.i)::bytea), 'hex')`, subject: "f.id" }
})

const NONCE = "1000000 + f.i"

const OWN: Readonly<Record<RecordKind, Readonly<Record<string, Own>>>> = {
  sponsorships: {
    plans: plan,
    plan_steps: step,
    transport_bindings: binding,
    sponsorships: record,
    publications: {
      ...{ sponsorship: "f.id", bundle_id: "md5('bundle ' || f.i)::uuid" },
      ...{ reserved_at: "f.created_at", expires_at: "f.created_at + 60000", settled_at: "f.created_at + 100" }
    },
    sponsored_calls: { plan: "f.plan", sponsorship: "f.id", nonce: NONCE, sweep_at: "NULL" },
    idempotency_keys: key("sponsorships")
  },
  operations: {
    plans: plan,
    plan_steps: step,
    transport_bindings: binding,
    user_operations: {
      ...record,
      ...{
        nonce: NONCE,
        operation_hash: "'0x' || encode(sha256(f.id::text::bytea), 'hex')",
        sweep_at: "NULL"
      }
    },
    operation_sends: {
      ...{ operation: "f.id", reserved_at: "f.created_at", expires_at: "f.created_at + 60000" },
      answered_at: "f.created_at + 100"
    },
    idempotency_keys: key("operations")
  },
  sessions: {
    bot_grants: { id: "f.plan", account: "f.account" },
    sessions: {
      ...{
        id: "f.id",
        account: "f.account",
        principal: OWNER,
        grant_id: "f.plan",
        created_at: "f.created_at"
      },
      ...{ updated_at: "f.created_at", valid_until: "f.created_at / 1000 + 604800", generation: "f.i" },
      ...{ nonce: "'0x' || encode(sha256(f.id::text::bytea), 'hex')", archived_at: ARCHIVED },
      permission_id: "'0x' || encode(sha256(f.plan::text::bytea), 'hex')"
    }
  }
}

const ORDER: ReadonlyArray<RecordKind> = ["sponsorships", "operations", "sessions"]

const places = (kind: RecordKind, count: number) => `
  CREATE UNLOGGED TABLE spots AS
  SELECT p.i, md5('${kind} plan ' || p.i)::uuid AS plan, md5('${kind} ' || p.i)::uuid AS id, p.account, p.owner, p.created_at
  FROM (SELECT i, a.number AS account, a.id AS owner,
      unix_millis() - ((i::bigint * 7919) % 90 + 1) * 86400000 - i % 86400000 AS created_at
    FROM generate_series(1, ${count}) AS t (i)
    JOIN accounts a ON a.number = (SELECT min(number) FROM accounts) + i % (SELECT count(*) FROM accounts)
    UNION ALL
    SELECT ${count} + row_number() OVER (), a.number, a.id, unix_millis() - 1000 * j
    FROM accounts a, generate_series(1, $2::integer) AS t (j) WHERE a.id = ANY ($1::text[])) p`

/** Texts of the pattern stay as they are, where only columns are set. */
const copying = (table: string, own: Own): string => {
  const members = Object.entries(own).map(([column, value]) => `'${column}', ${value}`)
  return `INSERT INTO ${table} SELECT r.* FROM spots f,
    jsonb_populate_record(json_populate_record(NULL::${table}, $1::json), jsonb_build_object(${members.join(", ")})) r`
}

const ARCHIVE_KEYS = `
  WITH gone AS (DELETE FROM idempotency_keys k USING spots f WHERE k.plan = f.plan
    AND f.created_at < unix_millis() - ${KEPT_MS}::bigint RETURNING k.*)
  INSERT INTO idempotency_archive SELECT * FROM gone`

const fillKind = async (
  client: pg.Client,
  kind: RecordKind,
  count: number,
  patterns: RecordPatterns,
  { accountIds, each }: Newest
) => {
  await client.query(places(kind, count), [accountIds, each])
  for (const [table, own] of Object.entries(OWN[kind]))
    await client.query(copying(table, own), [patterns[kind][table]])
  await client.query(ARCHIVE_KEYS)
  await client.query("DROP TABLE spots")
}

/** So many of each kind over all accounts, and what hangs on none of them. */
export const fillRecords = async (url: string, patterns: RecordPatterns, counts: Counts, newest: Newest) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("SET session_replication_role = replica; SET synchronous_commit = off; SET jit = off")
    for (const [table, row] of Object.entries(patterns.shared))
      await client.query(
        `INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, $1::json)`,
        [row]
      )
    for (const kind of ORDER) {
      const began = performance.now()
      await fillKind(client, kind, counts[kind], patterns, newest)
      say(`  filled: ${kind.padEnd(20)} ${((performance.now() - began) / 1000).toFixed(1)} s`)
    }
    await client.query("VACUUM (ANALYZE)")
  } finally {
    await client.end()
  }
}
