/** A database as it becomes with the years: much that is done or not yet due, little that is to be looked at. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer, Redacted } from "effect"
import { poolLayer } from "../../../src/database/Pool.ts"
import { accountId } from "../../support/Ledger.ts"
import { migratedDatabase } from "../../support/MigratedDatabase.ts"

const DONE = 3_000
export const DUE = 10

export const HEAVY = accountId()
const LIGHT = accountId(`0x${"c3".repeat(20)}`)

const GRANT = "22222222-2222-4222-8222-222222222222"
const BINDING = `0x${"b1".repeat(32)}`

const DAY_MS = 86_400_000

const opened = Effect.acquireRelease(Effect.promise(migratedDatabase), ({ drop }) =>
  Effect.promise(drop)
).pipe(Effect.map(({ url }) => poolLayer({ url: Redacted.make(url), connections: 2 })))

type Row = Readonly<Record<string, unknown>>

const call = {
  chainId: 1,
  to: `0x${"c3".repeat(20)}`,
  data: "0x",
  value: "0",
  label: "pay",
  dependsOn: [],
  decoded: { contractId: "a:b:c", abiHash: `0x${"00".repeat(32)}`, function: "f()", args: [] }
}

const terms = {
  operation: "contract_calls",
  account: `0x${"a1".repeat(20)}`,
  summary: {},
  calls: [call],
  evidence: [],
  warnings: []
}

const word = (prefix: string) => `'${prefix}' || lpad(to_hex(i), 64, '0')`

/** What each row has of its own, as expressions of `i`, over what all rows have. */
interface Filling {
  readonly table: string
  readonly shared: Row
  readonly own: Readonly<Record<string, string>>
}

const plan: Filling = {
  table: "plans",
  shared: {
    ...{ account: 1, principal: `owner:${HEAVY}`, operation: "contract_calls", wallet: terms.account, terms },
    ...{ commitment: `0x${"11".repeat(32)}`, revision: 0, sweep_attempts: 0 }
  },
  own: {
    id: "md5('plan ' || i)::uuid",
    created_at: `unix_millis() - ${40 * DAY_MS} + i`,
    expires_at: `unix_millis() - ${39 * DAY_MS} + i`,
    changed_at: `unix_millis() - ${39 * DAY_MS} + i`,
    archived_at: "unix_millis()"
  }
}

const session: Filling = {
  table: "sessions",
  shared: {
    ...{
      account: 1,
      principal: `owner:${HEAVY}`,
      grant_id: GRANT,
      binding: BINDING
    },
    ...{
      chain_id: 1,
      wallet: terms.account,
      session_key: terms.account,
      compiled_hash: "0x",
      terms: {},
      revision: 0
    },
    ...{ live: false, was_enabled: false, sweep_attempts: 0 }
  },
  own: {
    ...{ id: "md5('session ' || i)::uuid", generation: "i", nonce: word("0x"), permission_id: word("0x") },
    ...{ created_at: "i", updated_at: "unix_millis()", valid_until: "unix_seconds()", sweep_at: "NULL" }
  }
}

const operation: Filling = {
  table: "user_operations",
  shared: {
    ...{
      account: 1,
      principal: `owner:${HEAVY}`,
      steps: [0],
      chain_id: 1,
      entry_point: "0xe",
      sender: terms.account
    },
    ...{
      nonce: 7,
      binding: BINDING,
      state_hash: "0x",
      terms: {},
      commitment: "0xc",
      expires_at: 1,
      valid_until: 1
    },
    ...{
      since_block: 1,
      maximum_cost: 1,
      wallet_code_hash: "0x1",
      entry_point_code_hash: "0x2",
      revision: 0
    },
    ...{ claimed: false, revived: false, sweep_attempts: 0, dead_block: 1, dead_hash: "0x1" }
  },
  own: {
    ...{ id: "md5('operation ' || i)::uuid", plan: "md5('plan ' || i)::uuid", operation_hash: word("0x") },
    ...{ created_at: "i", sweep_at: "unix_millis() + 3600000", archived_at: "unix_millis()" }
  }
}

const sponsorship: Filling = {
  table: "sponsorships",
  shared: {
    ...{ account: 1, principal: `owner:${HEAVY}`, authorizations: [], commitment: "0xc" },
    ...{ expires_at: 1, revision: 0 }
  },
  own: {
    ...{ id: "md5('sponsorship ' || i)::uuid", plan: "md5('plan ' || i)::uuid", created_at: "i" },
    archived_at: "unix_millis()"
  }
}

/** Answered and never proved. */
const publication: Filling = {
  table: "publications",
  shared: {
    ...{
      submission_hash: "0x",
      signatures: [],
      token: GRANT,
      reserved_at: 1
    },
    ...{ expires_at: 1, outcome: "answered", quote: {}, sweep_attempts: 0 }
  },
  own: {
    ...{ sponsorship: "md5('sponsorship ' || i)::uuid", bundle_id: "md5('bundle ' || i)::uuid" },
    settled_at: `unix_millis() - ${3 * DAY_MS} + i`
  }
}

const sponsoredCall: Filling = {
  table: "sponsored_calls",
  shared: {
    ...{
      step: 0,
      chain_id: 1,
      forwarder: "0xf",
      signer: "0x5",
      forwarder_code_hash: "0x",
      gas: 1,
      deadline: 1
    },
    ...{ since_block: 1, dead_block: 1, dead_hash: "0x1", revived: false, sweep_attempts: 0 }
  },
  own: {
    ...{ plan: "md5('plan ' || i)::uuid", sponsorship: "md5('sponsorship ' || i)::uuid", nonce: "i" },
    sweep_at: "unix_millis() + 3600000"
  }
}

const deployment: Filling = {
  table: "intent_deployments",
  shared: {
    ...{ intent: 1, chain_id: 1, project_id: "1", forwarded: false },
    ...{ block_number: 1, block_hash: "0x", created_at: 1 }
  },
  own: { number: "i", transaction_hash: word("0x"), look_at: "unix_seconds() + 3600" }
}

const FILLINGS = { plan, session, operation, sponsorship, publication, sponsoredCall, deployment }

/** Rows from one number to another, some of what is their own given anew. */
const filled = ({ table, shared, own }: Filling, from: number, to: number, over: Filling["own"] = {}) =>
  Effect.flatMap(SqlClient.SqlClient, sql => {
    const members = Object.entries({ ...own, ...over }).map(([name, value]) => `'${name}', ${value}`)
    return sql.unsafe(
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE
        SELECT r.* FROM generate_series(${from}, ${to}) AS t (i),
          json_populate_record(NULL::${table}, ($1::jsonb || jsonb_build_object(${members.join(", ")}))::json) r`,
      [JSON.stringify(shared)]
    )
  })

const accounts = Effect.flatMap(
  SqlClient.SqlClient,
  sql => sql`INSERT INTO accounts (id, authority_chain_id, owner_address, created_at, updated_at)
    SELECT id, 1, substr(id, 10), 0, 0 FROM unnest(${[HEAVY, LIGHT]}::text[]) AS t (id)`
)

const bound = Effect.flatMap(SqlClient.SqlClient, sql =>
  Effect.all([
    sql`INSERT INTO bot_grants VALUES (${GRANT}, 1, '0x', '{read}', '', 0, 1)`,
    sql`INSERT INTO bindings (id, account, chain_id, address, manifest, state_hash, snapshot, digest, nonce, expires_at, created_at)
      VALUES (${BINDING}, 1, 1, ${terms.account}, '', '0x', '{}', '0x', '0x', 1, 1)`
  ])
)

const ledger = Effect.flatMap(SqlClient.SqlClient, sql =>
  Effect.all([
    sql`INSERT INTO plan_steps (plan, step) SELECT id, 0 FROM plans`,
    sql`INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, created_at)
      SELECT 2, 'owner', id::text, '', 'plan', id, 0 FROM plans`,
    sql`INSERT INTO request_nonces SELECT 2, sha256(i::text::bytea), unix_seconds() + 10 + i / 100 FROM generate_series(1, ${20_000}::int) AS t (i)`,
    sql`INSERT INTO request_usage SELECT 2, unix_seconds() / 60 + i, 1, 0 FROM generate_series(1, ${20_000}::int) AS t (i)`,
    sql`INSERT INTO address_enrolments SELECT unix_seconds() / 86400, i::text, 1 FROM generate_series(1, ${DONE}::int) AS t (i)`,
    sql`INSERT INTO address_usage SELECT 'wallet', i::text, unix_millis() / 60000, 1 FROM generate_series(1, ${DONE}::int) AS t (i)`
  ])
)

/** Nothing is due yet. References are not looked at: what hangs on nothing costs the same. */
const grown = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SET LOCAL session_replication_role = replica`
      yield* accounts
      yield* bound
      for (const filling of Object.values(FILLINGS)) yield* filled(filling, 1, DONE)
      yield* filled(plan, DONE + 1, 2 * DONE, {
        ...{ account: "2", archived_at: "NULL", sweep_at: "unix_millis() + 3600000 + i", pending_since: "1" }
      })
      yield* filled(plan, 2 * DONE + 1, 3 * DONE, {
        ...{ account: "2", archived_at: "NULL", expires_at: "unix_millis() + i", changed_at: "unix_millis()" }
      })
      yield* ledger
    })
  )
  yield* sql`ANALYZE`
})

export const grownDatabase = Layer.provideMerge(Layer.effectDiscard(grown), Layer.unwrapScoped(opened))
