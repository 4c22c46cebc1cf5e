/** Rows of every table, in the form that the migration which made the table gave it. */
import { OWNER } from "./Ledger.ts"
import { sqlOn } from "./Sql.ts"

const PLAN = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`
const STEP_STATES = ["submitted", "unknown", "confirming", "confirmed", "reverted", "reorged"] as const

const ACCOUNT = `SELECT number FROM accounts WHERE owner_address = '${OWNER}'`

/** A plan of two steps: its second is never admitted. */
const planSql = (digit: number): string =>
  `INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at, revision, sweep_at, pending_since)
   SELECT '${PLAN(digit)}', number, 'owner:' || id, 'contract-calls', owner_address, '{"of": ${digit}}', '0xc${digit}', 1, 2, ${digit}, 3, 4
   FROM accounts WHERE owner_address = '${OWNER}';
   INSERT INTO plan_steps (plan, step) VALUES ('${PLAN(digit)}', 0), ('${PLAN(digit)}', 1);
   INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, created_at)
   SELECT number, 'owner:' || id, 'key ${digit}', 'made', 'plan', '${PLAN(digit)}', 1 FROM accounts WHERE owner_address = '${OWNER}';`

const admittedSql = (digit: number, observed: string): string =>
  `UPDATE plan_steps SET observed = '${observed}', receipt = '{"canonical": true, "of": ${digit}}', semantic = '{"status": "unknown"}'
   WHERE plan = '${PLAN(digit)}' AND step = 0;
   INSERT INTO transport_bindings VALUES ('${PLAN(digit)}', 0, 'signed-eoa-transaction', gen_random_uuid(), '0xa${digit}',
     '{"hash": "0xa${digit}", "nonce": "${digit}"}', '\\x02f${digit}', 5);
   INSERT INTO dispatch_leases VALUES ('${PLAN(digit)}', 0, gen_random_uuid(), '0xa${digit}', 1, 6, 7, 'submitted', 8);
   INSERT INTO owner_approvals (plan, step, hash, form, signer, issued_at, expires_at, nonce, recorded_at)
   VALUES ('${PLAN(digit)}', 0, '0xa${digit}', 'owner-request', '${OWNER}', 1, 2, '0x0${digit}', 3);`

const nonceSql = (digit: number, last: string): string =>
  last < "0010_bindings.sql"
    ? `INSERT INTO wallet_nonces VALUES (1, '${OWNER}', 18446744073709551600 + ${digit}, '${PLAN(digit)}', 0)`
    : `INSERT INTO reserved_nonces VALUES ('eip155:1:${OWNER}', '1844674407370955160${digit}', '${PLAN(digit)}', 0)`

const PLANS = [0, 1, 2, 3, 4, 5, 6]

const BINDING = `0x${"b".repeat(64)}`

const AUTHORIZATIONS = JSON.stringify([
  {
    stepIndex: 0,
    forwarderCodeHash: "0xc",
    message: { gas: "7", deadline: "8" },
    evidence: { blockNumber: "9" }
  }
])

/** With the columns that later migrations brought, which earlier ones do not look at. */
const SPONSORED_CALL = JSON.stringify({
  plan: PLAN(0),
  step: 0,
  sponsorship: PLAN(8),
  chain_id: 1,
  forwarder: "0xf",
  signer: OWNER,
  nonce: 6,
  forwarder_code_hash: "0xc",
  gas: 7,
  deadline: 8,
  since_block: 9,
  revived: false,
  sweep_attempts: 0
})

const BY_MIGRATION: Readonly<Record<string, ReadonlyArray<string>>> = {
  "0001_accounts.sql": [
    `INSERT INTO accounts (id, authority_chain_id, owner_address, display_name, created_at, updated_at)
     VALUES ('eip155:1:${OWNER}', 1, '${OWNER}', 'kept', 1, 2)`,
    `INSERT INTO bot_grants SELECT gen_random_uuid(), number, '0xb2', ARRAY['read', 'plan'], 'a bot', 1, 2, revoked
     FROM accounts, (VALUES (NULL::bigint), (3)) AS r (revoked)`,
    `INSERT INTO request_nonces SELECT number, '\\x01', 9 FROM accounts`,
    `INSERT INTO request_usage SELECT number, 1, 2, 3, 4 FROM accounts`,
    "INSERT INTO readiness_probe VALUES (true, to_timestamp(1))"
  ],
  "0002_plans.sql": [
    ...PLANS.map(planSql),
    ...STEP_STATES.map((observed, index) => admittedSql(index + 1, observed))
  ],
  "0003_archive.sql": [
    `UPDATE plans SET archived_at = 9 WHERE id = '${PLAN(4)}'`,
    `WITH gone AS (DELETE FROM idempotency_keys WHERE plan = '${PLAN(4)}' RETURNING *)
     INSERT INTO idempotency_archive SELECT * FROM gone`
  ],
  "0004_address_usage.sql": ["INSERT INTO address_usage VALUES ('unauthenticated', 'a hash', 1, 2)"],
  "0007_intents.sql": [
    `INSERT INTO intents (id, account, publisher, content_hash, signature, envelope, format, deployment_version, chain_ids, name, tags,
       words, created_at)
     VALUES ('${PLAN(9)}', (${ACCOUNT}), 'p', 'c', 's', '{}', 'f', '6', '{1}', 'kept', '{}', to_tsvector('simple', 'kept'), 1)`,
    "INSERT INTO intent_origins VALUES ('a hash', 1)",
    `INSERT INTO intent_deployments (intent, chain_id, transaction_hash, project_id, forwarded, block_number, block_hash, created_at)
     SELECT number, 1, '0xt', '2', false, 3, '0xb', 4 FROM intents`
  ],
  "0008_address_enrolments.sql": ["INSERT INTO address_enrolments VALUES (1, 'a hash', 2)"],
  "0011_reverts.sql": [`UPDATE plan_steps SET revert = '{"status": "known"}' WHERE observed = 'reverted'`],
  "0012_sponsorships.sql": [
    `INSERT INTO sponsorships (id, account, principal, plan, authorizations, commitment, created_at, expires_at)
     SELECT '${PLAN(8)}', number, 'owner:' || id, '${PLAN(0)}', '${AUTHORIZATIONS}', '0xc8', 1, 2 FROM accounts`,
    `INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
     SELECT number, 'owner:' || id, 'key of a sponsorship', 'made', 'sponsorship', '${PLAN(0)}', '${PLAN(8)}', 1 FROM accounts`
  ],
  "0013_publications.sql": [
    `INSERT INTO transport_bindings (plan, step, transport, binding_id, bound_at)
     VALUES ('${PLAN(0)}', 0, 'forwarder-prepaid-erc2771', '${PLAN(8)}', 3)`,
    `INSERT INTO publications (sponsorship, submission_hash, signatures, token, reserved_at, expires_at)
     VALUES ('${PLAN(8)}', '0xh', '{0xs}', gen_random_uuid(), 4, 5)`,
    `INSERT INTO sponsored_calls SELECT * FROM json_populate_record(NULL::sponsored_calls, '${SPONSORED_CALL}')`
  ],
  "0015_quotes.sql": [
    `INSERT INTO fundings (plan, sponsorship, chain_id, admitted) VALUES ('${PLAN(1)}', '${PLAN(8)}', 31337, true)`
  ],
  "0016_wallet_bindings.sql": [
    `INSERT INTO wallets VALUES (31337, '${OWNER}')`,
    `INSERT INTO bindings (id, account, chain_id, address, manifest, state_hash, snapshot, digest, nonce, expires_at, created_at)
     VALUES ('${BINDING}', (${ACCOUNT}), 31337, '${OWNER}', 'm', '0xs', '{"kept": true}', '0xd', '0xn', 5, 6)`,
    `INSERT INTO binding_nonces VALUES ((${ACCOUNT}), '0xn', '${BINDING}', '0xd', 5, false)`
  ],
  "0017_user_operations.sql": [
    `INSERT INTO user_operations (id, account, principal, plan, steps, chain_id, entry_point, sender, nonce, binding, state_hash, terms,
       operation_hash, commitment, created_at, expires_at, valid_until, since_block, maximum_cost, wallet_code_hash,
       entry_point_code_hash, claimed)
     SELECT '${PLAN(7)}', number, 'owner:' || id, '${PLAN(0)}', '{1}', 1, '0xe', '0x5', 5, '0xb', '0xs', '{}', '0xh', '0xc', 1, 2, 3, 4,
       5, '0xw', '0xe', true FROM accounts`,
    `INSERT INTO operation_sends (operation, signature, commitment, token, reserved_at, expires_at)
     VALUES ('${PLAN(7)}', '0xs', '0xh', gen_random_uuid(), 4, 5)`
  ],
  "0019_sessions.sql": [
    `INSERT INTO sessions (id, account, principal, grant_id, binding, chain_id, wallet, session_key, generation, nonce, permission_id,
       compiled_hash, valid_until, terms, created_at, updated_at)
     SELECT '${PLAN(6)}', number, 'owner:' || a.id, g.id, '${BINDING}', 31337, '${OWNER}', '0xb2', 18446744073709551615, '0xn', '0xp', '0xc',
       5, '{"kept": true}', 6, 7 FROM accounts a JOIN bot_grants g ON g.account = a.number WHERE g.revoked_at IS NULL`,
    `INSERT INTO session_plans VALUES ('${PLAN(5)}', '${PLAN(6)}', 'activation', '0xd', 8, 9, 10)`,
    `INSERT INTO wallet_generations VALUES (31337, '${OWNER}', '${PLAN(6)}', 11)`,
    `INSERT INTO idempotency_keys (account, principal, key, identity, kind, subject, created_at)
     SELECT number, 'owner:' || id, 'key of a session', 'made', 'session', '${PLAN(6)}', 1 FROM accounts`
  ],
  "0020_payments.sql": [
    `INSERT INTO payment_reviews (id, account, grant_id, operation, state, terms, created_at, expires_at)
     SELECT '${PLAN(9)}', a.number, g.id, '${PLAN(7)}', repeat('s', 43), '{"kept": true}', 1, 2
     FROM accounts a JOIN bot_grants g ON g.account = a.number WHERE g.revoked_at IS NULL`,
    `INSERT INTO credentials (binding, account, owner, credential_id, x, y, counter, created_at)
     SELECT '${BINDING}', number, '${OWNER}', 'kept', '0x' || repeat('1', 64), '0x' || repeat('2', 64), 3, 4 FROM accounts`
  ],
  "0022_restorations.sql": ["INSERT INTO restorations VALUES (1, 2, 3, 4)"],
  "0028_ended_plans.sql": [`INSERT INTO ended_plans VALUES ('${PLAN(3)}', 5)`],
  "0029_silent_nonces.sql": [`INSERT INTO silent_nonces VALUES ('${PLAN(7)}', 1, '0xb', 2, false)`]
}

/** Fills the tables that a database has which was brought up to this migration. */
export const keepUpTo = async (url: string, last: string): Promise<void> => {
  for (const [name, statements] of Object.entries(BY_MIGRATION))
    if (name <= last) for (const statement of statements) await sqlOn(url, statement)
  if (last >= "0002_plans.sql")
    for (const index of STEP_STATES.keys()) await sqlOn(url, nonceSql(index + 1, last))
}
