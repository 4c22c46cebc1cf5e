/** An account of many records is answered without reading those that it does not ask for, or that count no more. */
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { Actor } from "../../src/accounts/Principal.ts"
import { PlanStore } from "../../src/plans/PlanStore.ts"
import { SessionStore } from "../../src/sessions/SessionStore.ts"
import { SponsorshipStore } from "../../src/sponsorship/SponsorshipStore.ts"
import { UserOperationStore } from "../../src/useroperations/UserOperationStore.ts"
import { rowsRead } from "../support/RowsRead.ts"
import { HEAVY } from "./support/GrownDatabase.ts"
import { BESIDE, changed, flat, grownStores } from "./support/Reading.ts"

const PAGE = 5

const owner: Actor = {
  ...{ kind: "owner", id: `owner:${HEAVY}`, accountId: HEAVY, authorityChainId: 1 },
  ...{
    ownerAddress: `0x${"a1".repeat(20)}`,
    signer: `0x${"a1".repeat(20)}`,
    issuedAt: 1,
    expiresAt: 60,
    nonce: "0x00"
  }
}

const FIRST_PAGE = { limit: PAGE, after: undefined }

const GRANT = "33333333-3333-4333-8333-333333333333"
const bot: Actor = { ...owner, kind: "bot", id: `bot:${GRANT}`, grantId: GRANT, scopes: ["read"] }

const RARE = "0x99"
const BUSY = "0x77"

const plansFrom = (from: number, to: number, principal: string, wallet: string) =>
  changed(`UPDATE plans SET principal = '${principal}', wallet = '${wallet}'
    WHERE id IN (SELECT md5('plan ' || i)::uuid FROM generate_series(${from}, ${to}) AS t (i))`)

/** Fewer than there are, and more than count. */
const LIMIT = 2_000

const OPEN = 3_000

/** One more of what the account has thousands of, for its newest plan. */
const oneMore = (store: string, table: string, more: number) => {
  const own = `json_build_object('id', gen_random_uuid(), 'plan', md5('plan ${OPEN}')::uuid, 'operation_hash', '${more}',
    'expires_at', unix_millis() + 60000, 'archived_at', NULL)`
  return Effect.flatMap(
    SqlClient.SqlClient,
    sql => sql<{ verdict: string }>`
      SELECT stored.verdict FROM ${sql(table)} r CROSS JOIN LATERAL ${sql.literal(store)} (${HEAVY}, NULL, ${`${table} ${more}`}, '',
        json_populate_record(r, ${sql.literal(own)}), ${LIMIT}, 10000) stored
      WHERE r.id = md5(${table === "sponsorships" ? "sponsorship 1" : "operation 1"})::uuid`
  ).pipe(Effect.map(rows => rows.filter(({ verdict }) => verdict === "STORED")))
}

const KINDS = [
  ["store_sponsorship", "sponsorships"],
  ["store_user_operation", "user_operations"]
] as const

it.layer(grownStores)("an account of many records", it => {
  it.effect("lists the newest of its plans without reading the others", () =>
    Effect.gen(function* () {
      const { page } = yield* PlanStore
      yield* flat(
        PAGE,
        Effect.map(page(owner, { ...FIRST_PAGE, wallet: undefined }), ({ plans }) => plans),
        8
      )
    })
  )

  /** What is stored here is no record: it is read as one, and cannot be shown. */
  const readingFew = <A, E, R>(page: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const { made, rows } = yield* rowsRead(Effect.exit(page))
      assert.isTrue(Exit.isFailure(made))
      assert.isAtMost(rows, PAGE * 12 + BESIDE)
    })

  it.effect("lists the newest of its sponsorships, operations and sessions without reading the others", () =>
    Effect.gen(function* () {
      yield* readingFew((yield* SponsorshipStore).page(owner, { ...FIRST_PAGE, planId: undefined }))
      yield* readingFew((yield* UserOperationStore).page(owner, { ...FIRST_PAGE, planId: undefined }))
      yield* readingFew((yield* SessionStore).page(owner, { ...FIRST_PAGE, bindingId: undefined }))
    })
  )

  it.effect("gets a plan more without its archived ones being counted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const stored =
        sql.unsafe(`SELECT * FROM store_plans(ARRAY['${HEAVY}'], ARRAY['owner'], ARRAY[NULL]::uuid[], ARRAY['key'],
          ARRAY['same'], ARRAY[gen_random_uuid()], ARRAY['contract_calls'], ARRAY['0x'], ARRAY['{}']::json[], ARRAY[1],
          ARRAY['0x'], ARRAY[1]::bigint[], ARRAY[1]::bigint[], ARRAY[10000], ARRAY[10000], true) WHERE verdict = 'STORED'`)
      yield* flat(1, stored)
    })
  )

  it.effect("lists the plans of a wallet without reading those of others", () =>
    Effect.gen(function* () {
      const { page } = yield* PlanStore
      const pageOf = (actor: Actor, wallet: string) =>
        Effect.map(page(actor, { ...FIRST_PAGE, wallet }), ({ plans }) => plans)
      yield* plansFrom(1, PAGE, owner.id, RARE)
      yield* plansFrom(PAGE + 1, 2 * PAGE, bot.id, BUSY)
      yield* plansFrom(2 * PAGE + 1, 1_000, owner.id, BUSY)
      yield* plansFrom(1_001, 2_000, bot.id, owner.ownerAddress)
      yield* changed("ANALYZE plans")
      for (const wallet of [RARE, BUSY]) yield* flat(PAGE, pageOf(owner, wallet), 8)
      yield* flat(PAGE, pageOf(bot, BUSY), 8)
    })
  )

  it.effect("gets a sponsorship or an operation more without those of archived plans being counted", () =>
    Effect.gen(function* () {
      yield* changed(`UPDATE plans SET archived_at = NULL, expires_at = unix_millis() + 3600000, principal = '${owner.id}'
        WHERE id = md5('plan ${OPEN}')::uuid`)
      for (const [store, table] of KINDS) {
        yield* flat(1, oneMore(store, table, 1), 8)
        yield* changed(`UPDATE ${table} SET archived_at = NULL`)
        assert.lengthOf(yield* oneMore(store, table, 2), 1)
        yield* flat(1, oneMore(store, table, 3), 8)
      }
    })
  )
})
