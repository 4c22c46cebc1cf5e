import { randomUUID } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { AccountActors } from "../../src/accounts/AccountActors.ts"
import type { Actor } from "../../src/accounts/Principal.ts"
import type { RequestKey } from "../../src/auth/Idempotency.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { type NewPlan, StorePlan } from "../../src/plans/StorePlan.ts"
import { accountId, BOT, LedgerSession, OWNER } from "../support/Ledger.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"

const OTHER = `0x${"c3".repeat(20)}` as const
const EXPIRES = 2_000_000_000_000

const signed = {
  accountId: accountId(),
  authorityChainId: 1,
  ownerAddress: `0x${"a1".repeat(20)}`,
  signer: `0x${"a1".repeat(20)}`,
  issuedAt: 1,
  expiresAt: 60,
  nonce: "0x00"
} as const

const owner: Actor = { ...signed, kind: "owner", id: `owner:${accountId()}` }

const otherOwner: Actor = {
  ...signed,
  accountId: accountId(OTHER),
  ownerAddress: OTHER,
  kind: "owner",
  id: `owner:${accountId(OTHER)}`
}

const botOf = (grantId: string): Actor => ({
  ...signed,
  kind: "bot",
  id: `bot:${grantId}`,
  grantId,
  scopes: ["read", "plan"]
})

const keyOf = (actor: Actor, key: string, identity = "same"): RequestKey => ({
  accountId: actor.accountId,
  principalId: actor.id,
  key,
  identity
})

const newPlan = (label = "pay"): NewPlan => ({
  id: randomUUID(),
  terms: {
    operation: "contract_calls",
    account: signed.ownerAddress,
    summary: {},
    calls: [
      {
        chainId: 1,
        to: OTHER,
        data: "0x",
        value: "0",
        label,
        dependsOn: [],
        decoded: { contractId: "a:b:c", abiHash: `0x${"00".repeat(32)}`, function: "f()", args: [] }
      }
    ],
    evidence: [],
    warnings: []
  },
  commitment: `0x${"11".repeat(32)}`,
  createdAt: 1,
  expiresAt: EXPIRES
})

const database = Effect.acquireRelease(Effect.promise(migratedDatabase), made => Effect.promise(made.drop))

const opened = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => LedgerSession.open(url)),
    ({ client }) => Effect.promise(() => client.end())
  )

const storing = (url: string) =>
  StorePlan.layer.pipe(
    Layer.provideMerge(AccountActors.layer),
    Layer.provideMerge(poolLayer({ url: Redacted.make(url), connections: 2 }))
  )

const count = (table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM ${sql(table)}`
    return row?.n
  })

const stored = (actor: Actor, key: RequestKey, plan: NewPlan) =>
  Effect.flatMap(StorePlan, ({ store }) =>
    Effect.match(store(actor, key, plan), { onFailure: ({ _tag }) => _tag, onSuccess: id => id })
  )

it.live("gives one key one plan, also among those that wait together", () =>
  Effect.gen(function* () {
    const { url } = yield* database
    const session = yield* opened(url)
    yield* Effect.promise(() => session.enroll())
    yield* Effect.gen(function* () {
      const plans = Array.from({ length: 40 }, () => newPlan())
      const ids = yield* Effect.forEach(plans, plan => stored(owner, keyOf(owner, "one"), plan), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(ids).size, 1)
      assert.include(
        plans.map(({ id }) => id),
        ids[0]
      )
      assert.strictEqual(
        yield* stored(owner, keyOf(owner, "one", "another"), newPlan()),
        "IDEMPOTENCY_CONFLICT"
      )
      assert.strictEqual(yield* count("plans"), 1)
      assert.strictEqual(yield* count("plan_steps"), 1)
      assert.strictEqual(yield* count("idempotency_keys"), 1)
    }).pipe(Effect.provide(storing(url)))
  }).pipe(Effect.scoped)
)

it.live("looks at the grant again, and leaves nothing of a refused plan", () =>
  Effect.gen(function* () {
    const { url } = yield* database
    const session = yield* opened(url)
    const number = yield* Effect.promise(() => session.enroll())
    const foreign = yield* Effect.promise(() => session.enroll(OTHER))
    const grant = (account: number, scopes: ReadonlyArray<string>, over = {}) =>
      Effect.promise(() => session.grant(account, scopes, over))
    const active = yield* grant(number, ["read", "plan"])
    const refused = [
      yield* grant(number, ["read"]),
      yield* grant(number, ["read", "plan"], { revoked_at: 2 }),
      yield* grant(number, ["read", "plan"], { expires_at: 2 }),
      yield* grant(foreign, ["read", "plan"], { bot_address: BOT })
    ]
    yield* Effect.gen(function* () {
      for (const id of refused)
        assert.strictEqual(yield* stored(botOf(id), keyOf(botOf(id), "k"), newPlan()), "FORBIDDEN")
      const nobody: Actor = { ...owner, accountId: accountId(BOT) }
      assert.strictEqual(yield* stored(nobody, keyOf(nobody, "k"), newPlan()), "ACCOUNT_NOT_FOUND")
      assert.strictEqual(yield* count("plans"), 0)
      assert.strictEqual(yield* count("idempotency_keys"), 0)
      const plan = newPlan()
      assert.strictEqual(yield* stored(botOf(active), keyOf(botOf(active), "k"), plan), plan.id)
      assert.strictEqual(
        yield* stored(owner, keyOf(owner, "k"), newPlan()).pipe(Effect.map(id => id === plan.id)),
        false
      )
    }).pipe(Effect.provide(storing(url)))
  }).pipe(Effect.scoped)
)

it.live("waits for a held account without keeping the others", () =>
  Effect.gen(function* () {
    const { url } = yield* database
    const session = yield* opened(url)
    yield* Effect.promise(() => session.enroll())
    yield* Effect.promise(() => session.enroll(OTHER))
    const holder = yield* opened(url)
    yield* Effect.promise(() => holder.client.query("BEGIN"))
    yield* Effect.promise(() =>
      holder.client.query("SELECT 1 FROM accounts WHERE owner_address = $1 FOR UPDATE", [OWNER])
    )
    yield* Effect.gen(function* () {
      const [mine, theirs] = [newPlan(), newPlan()]
      const waiting = yield* Effect.fork(stored(owner, keyOf(owner, "k"), mine))
      yield* Effect.promise(() => holder.blocking())
      assert.strictEqual(yield* stored(otherOwner, keyOf(otherOwner, "k"), theirs), theirs.id)
      yield* Effect.promise(() => holder.client.query("ROLLBACK"))
      assert.strictEqual(yield* waiting, mine.id)
      assert.strictEqual(yield* count("plans"), 2)
    }).pipe(Effect.provide(storing(url)))
  }).pipe(Effect.scoped)
)

it.live("stores every other plan when one of those that wait together cannot be stored", () =>
  Effect.gen(function* () {
    const { url } = yield* database
    const session = yield* opened(url)
    yield* Effect.promise(() => session.enroll())
    yield* Effect.gen(function* () {
      const plans = [newPlan(), newPlan(), { ...newPlan(), expiresAt: 0 }, newPlan()]
      const exits = yield* Effect.forEach(
        plans,
        (plan, index) => Effect.exit(stored(owner, keyOf(owner, `${index}`), plan)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        exits.map(({ _tag }) => _tag),
        ["Success", "Success", "Failure", "Success"]
      )
      assert.strictEqual(yield* count("plans"), 3)
    }).pipe(Effect.provide(storing(url)))
  }).pipe(Effect.scoped)
)

it.live("refuses a key that came to name what has no plan while the plan was prepared", () =>
  Effect.gen(function* () {
    const { url } = yield* database
    const session = yield* opened(url)
    const number = yield* Effect.promise(() => session.enroll())
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO idempotency_keys (account, principal, key, identity, kind, subject, created_at)
        VALUES (${number}, ${owner.id}, 'k', 'another', 'session', ${randomUUID()}, 1)`
      assert.strictEqual(yield* stored(owner, keyOf(owner, "k"), newPlan()), "IDEMPOTENCY_CONFLICT")
      assert.strictEqual(yield* count("plans"), 0)
    }).pipe(Effect.provide(storing(url)))
  }).pipe(Effect.scoped)
)
