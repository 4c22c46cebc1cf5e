/** Fills a database by SQL as years of use would: accounts, plans with all that hangs on them, nonces and quotas. */
import pg from "pg"
import { say } from "./support/Figures.ts"
import { CHAIN } from "./support/Requests.ts"
import { withoutIndexes } from "./support/Shelving.ts"

export interface Amounts {
  readonly accounts: number
  readonly plans: number
  readonly nonces: number
  readonly quotas: number
  readonly sponsorships: number
  readonly operations: number
  readonly sessions: number
}

const WHOLE: Amounts = {
  ...{ accounts: 1_000_000, plans: 5_000_000, nonces: 20_000_000, quotas: 20_000_000 },
  ...{ sponsorships: 500_000, operations: 500_000, sessions: 200_000 }
}

export const amountsAt = (scale: number): Amounts => ({
  accounts: Math.round(WHOLE.accounts * scale),
  plans: Math.round(WHOLE.plans * scale),
  nonces: Math.round(WHOLE.nonces * scale),
  quotas: Math.round(WHOLE.quotas * scale),
  sponsorships: Math.round(WHOLE.sponsorships * scale),
  operations: Math.round(WHOLE.operations * scale),
  sessions: Math.round(WHOLE.sessions * scale)
})

/** Plans of the service's own making, which the others are copies of. */
export interface Patterns {
  /** Never sent. */
  readonly open: string
  readonly confirmed: string
}

const TABLES = [
  "accounts",
  "plans",
  "plan_steps",
  "transport_bindings",
  "dispatch_leases",
  "reserved_nonces",
  "owner_approvals",
  "idempotency_keys",
  "idempotency_archive",
  "request_nonces",
  "request_usage"
]

const SETTINGS = `SET session_replication_role = replica; SET synchronous_commit = off;
  SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'; SET enable_nestloop = off; SET jit = off`

/** Ninety days, of which the last thirty count; one plan in five was never sent, one in a thousand is not final yet. */
const places = ({ plans }: Amounts, firstAccount: string, accounts: string) => `
  CREATE UNLOGGED TABLE filling AS
  SELECT i, md5('filled plan ' || i)::uuid AS id, ${firstAccount} + i % ${accounts} AS account, i / ${accounts} % 5 = 0 AS is_open,
    i % 1000 = 1 AS is_pending, unix_millis() - ((i::bigint * 7919) % 90 + 1) * 86400000 - i % 86400000 AS created_at
  FROM generate_series(1, ${plans}) AS t (i)`

const PLANS = `
  INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at, revision, sweep_at,
    pending_since, archived_at, changed_at)
  SELECT f.id, f.account, replace(p.principal, o.id, a.id), p.operation, a.owner_address,
    replace(p.terms::text, o.owner_address, a.owner_address)::json, p.commitment, f.created_at,
    f.created_at + p.expires_at - p.created_at, CASE WHEN f.is_open THEN 0 ELSE 3 END,
    CASE WHEN f.is_pending THEN unix_millis() + 86400000 + f.i % 3600000 END, CASE WHEN f.is_pending THEN f.created_at END,
    CASE WHEN f.created_at < unix_millis() - 2592000000 THEN f.created_at + 2592000000 END, f.created_at + 60000
  FROM filling f JOIN accounts a ON a.number = f.account
  JOIN plans p ON p.id = CASE WHEN f.is_open THEN $1::uuid ELSE $2::uuid END JOIN accounts o ON o.number = p.account`

const HASH = "'0x' || encode(sha256(f.id::text::bytea), 'hex')"

const STEPS = `
  INSERT INTO plan_steps (plan, step, observed, receipt, semantic, revert, proof)
  SELECT f.id, s.step, CASE WHEN f.is_pending THEN 'submitted' ELSE s.observed END, CASE WHEN NOT f.is_pending THEN s.receipt END,
    CASE WHEN NOT f.is_pending THEN s.semantic END, s.revert, CASE WHEN NOT f.is_pending THEN s.proof END
  FROM filling f JOIN plan_steps s ON s.plan = CASE WHEN f.is_open THEN $1::uuid ELSE $2::uuid END`

const BINDINGS = `
  INSERT INTO transport_bindings (plan, step, transport, binding_id, hash, transaction, raw, bound_at)
  SELECT f.id, b.step, b.transport, md5('filled binding ' || f.i)::uuid, ${HASH}, b.transaction, b.raw, f.created_at + 1000
  FROM filling f JOIN transport_bindings b ON b.plan = $1::uuid WHERE NOT f.is_open`

const LEASES = `
  INSERT INTO dispatch_leases (plan, step, token, hash, count, reserved_at, expires_at, outcome, broadcast_at)
  SELECT f.id, l.step, md5('filled lease ' || f.i)::uuid, ${HASH}, 1, f.created_at + 1000, f.created_at + 61000, l.outcome,
    f.created_at + 1200
  FROM filling f JOIN dispatch_leases l ON l.plan = $1::uuid WHERE NOT f.is_open`

const NONCES = `
  INSERT INTO reserved_nonces (scope, nonce, plan, step)
  SELECT replace(n.scope, o.owner_address, a.owner_address), 1000000 + f.i, f.id, n.step
  FROM filling f JOIN accounts a ON a.number = f.account JOIN reserved_nonces n ON n.plan = $1::uuid
  JOIN plans p ON p.id = n.plan JOIN accounts o ON o.number = p.account WHERE NOT f.is_open`

const APPROVALS = `
  INSERT INTO owner_approvals (plan, step, hash, form, signer, issued_at, expires_at, nonce, recorded_at)
  SELECT f.id, w.step, ${HASH}, w.form, a.owner_address, f.created_at / 1000, f.created_at / 1000 + 290, ${HASH}, f.created_at
  FROM filling f JOIN accounts a ON a.number = f.account JOIN owner_approvals w ON w.plan = $1::uuid WHERE NOT f.is_open`

const keys = (table: string, archived: string) => `
  INSERT INTO ${table} (account, principal, key, identity, kind, plan, step, created_at)
  SELECT f.account, replace(k.principal, o.id, a.id), '0x' || encode(sha256((k.kind || f.i)::bytea), 'hex'), k.identity, k.kind, f.id,
    k.step, f.created_at
  FROM filling f JOIN accounts a ON a.number = f.account
  JOIN idempotency_keys k ON k.plan = CASE WHEN f.is_open THEN $1::uuid ELSE $2::uuid END JOIN accounts o ON o.number = k.account
  JOIN plans p ON p.id = f.id WHERE p.archived_at IS ${archived}`

/** Valid far longer than any measurement takes, so that the cleanup leaves them. */
const ledger = ({ nonces, quotas }: Amounts, first: string, accounts: string): ReadonlyArray<Filling> => [
  [
    "nonces of requests",
    `INSERT INTO request_nonces SELECT ${first} + i % ${accounts}, sha256(('filled ' || i)::bytea), unix_seconds() + 86400 + i / ${accounts} * 60
     FROM generate_series(1, ${nonces}) AS t (i)`
  ],
  [
    "quotas",
    `INSERT INTO request_usage SELECT ${first} + i % ${accounts}, unix_seconds() / 60 + 1440 + i / ${accounts}, 0, 0, 1
     FROM generate_series(1, ${quotas}) AS t (i)`
  ]
]

type Filling = readonly [what: string, text: string, values?: ReadonlyArray<string>]

const sleepers = ({ accounts }: Amounts, first: string): string => `
  INSERT INTO accounts (id, authority_chain_id, owner_address, created_at, updated_at)
  SELECT 'eip155:${CHAIN}:' || owner, ${CHAIN}, owner, 0, 0
  FROM (SELECT '0x' || substr(encode(sha256(('filled account ' || i)::bytea), 'hex'), 1, 40) AS owner
    FROM generate_series(1, ${accounts} - (SELECT count(*) FROM accounts WHERE number >= ${first})) AS t (i)) owners`

const fillings = (amounts: Amounts, { open, confirmed }: Patterns): ReadonlyArray<Filling> => {
  const first = "(SELECT min(number) FROM accounts)"
  const accounts = String(amounts.accounts)
  return [
    ["accounts", sleepers(amounts, first)],
    ["places of plans", places(amounts, first, accounts)],
    ["plans", PLANS, [open, confirmed]],
    ["steps", STEPS, [open, confirmed]],
    ["bindings", BINDINGS, [confirmed]],
    ["leases", LEASES, [confirmed]],
    ["nonces of wallets", NONCES, [confirmed]],
    ["approvals", APPROVALS, [confirmed]],
    ["archived keys", keys("idempotency_archive", "NOT NULL"), [open, confirmed]],
    ["keys", keys("idempotency_keys", "NULL"), [open, confirmed]],
    ...ledger(amounts, first, accounts),
    ["the end", "DROP TABLE filling"]
  ]
}

const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
  const began = performance.now()
  await work()
  say(`  filled: ${what.padEnd(20)} ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

const fillWith = async (client: pg.Client, amounts: Amounts, patterns: Patterns): Promise<void> => {
  await client.query(SETTINGS)
  await timed("all, with indexes", () =>
    withoutIndexes(client, TABLES, async () => {
      for (const [what, text, values = []] of fillings(amounts, patterns))
        await timed(what, () => client.query(text, [...values]))
    })
  )
  await timed("statistics", () => client.query("VACUUM (ANALYZE)"))
  await client.query("CHECKPOINT")
}

/** The accounts that are there already get their share. */
export const fill = async (url: string, amounts: Amounts, patterns: Patterns): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await fillWith(client, amounts, patterns)
  } finally {
    await client.end()
  }
}
