/** The claim as the database decides it: every verdict, and nothing left behind by a refusal. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import {
  asBot,
  ClaimSession,
  dispatchOf,
  keyOnly,
  MILLIS,
  NOW,
  type Request
} from "../support/ClaimSession.ts"
import { runClock, stopClock } from "../support/DatabaseTime.ts"
import { accountId, LedgerSession, migratedDatabase, OWNER } from "../support/Ledger.ts"
import type { FreshDatabase } from "../support/Postgres.ts"

const OTHER = `0x${"c3".repeat(20)}`

let database: FreshDatabase
let ledger: LedgerSession
let session: ClaimSession
let rival: ClaimSession
let account: number
let plan: string
let dispatch: Request

beforeAll(async () => {
  database = await migratedDatabase()
  session = await ClaimSession.open(database.url)
  rival = await ClaimSession.open(database.url)
  ledger = new LedgerSession(session.client)
})

beforeEach(async () => {
  await rival.rows("ROLLBACK")
  await session.rows("TRUNCATE accounts CASCADE")
  await stopClock(database.url, NOW)
  account = await ledger.enroll()
  plan = await session.plan(account, `owner:${accountId()}`)
  dispatch = dispatchOf(plan)
})

afterAll(async () => {
  await Promise.all([session.client.end(), rival.client.end()])
  await database.drop()
})

const sql = (text: string, values: ReadonlyArray<unknown> = []) => session.rows(text, values)

const observe = (over: Request = {}): Request => ({
  ...dispatch,
  purpose: "observe",
  judged_revision: null,
  is_blocked: null,
  claims_seen: null,
  ...over
})

const again = (over: Request = {}): Request => ({
  ...dispatch,
  key: randomUUID(),
  token: randomUUID(),
  binding_id: randomUUID(),
  judged_revision: null,
  ...over
})

const refused = async (request: Request, verdict: string, boundTo = "") => {
  const before = await session.stored()
  assert.deepStrictEqual(await session.ask(request), { verdict, bound_to: boundTo })
  assert.deepStrictEqual(await session.stored(), before)
}

const relayGrant = (over: Readonly<Record<string, unknown>> = {}) =>
  ledger.grant(account, ["read", "plan", "relay"], over)

const lease = async () =>
  (
    await sql("SELECT hash, count, outcome, reserved_at, expires_at FROM dispatch_leases WHERE plan = $1", [
      plan
    ])
  )[0]

const due = async () =>
  (await sql("SELECT revision, sweep_at, pending_since FROM plans WHERE id = $1", [plan]))[0]

describe("a dispatch", () => {
  it("binds, claims, consents, remembers and makes the plan due, in one", async () => {
    assert.deepStrictEqual(await session.ask(dispatch), { verdict: "CLAIMED", bound_to: null })
    const step = { plan, step: 0 }
    const { bindings, leases, keys } = await session.stored()
    assert.deepStrictEqual(bindings, [
      {
        ...step,
        transport: dispatch.transport,
        binding_id: dispatch.binding_id,
        hash: "0xaa",
        transaction: dispatch.transaction,
        raw: "\\x02f8",
        bound_at: MILLIS
      }
    ])
    assert.deepStrictEqual(await sql("SELECT * FROM wallet_nonces"), [
      { chain_id: 1, sender: OWNER, nonce: String(dispatch.nonce), ...step }
    ])
    assert.deepStrictEqual(leases, [
      {
        ...step,
        token: dispatch.token,
        hash: "0xaa",
        count: 1,
        reserved_at: MILLIS,
        expires_at: MILLIS + 30_000,
        outcome: null,
        broadcast_at: null
      }
    ])
    assert.deepStrictEqual(await sql("SELECT form, signer, nonce, recorded_at FROM owner_approvals"), [
      { form: "owner-request", signer: OWNER, nonce: "0x01", recorded_at: MILLIS }
    ])
    assert.deepStrictEqual(keys, [
      {
        ...step,
        account,
        principal: dispatch.principal,
        key: dispatch.key,
        identity: "a request",
        kind: "submission",
        created_at: MILLIS
      }
    ])
    assert.deepStrictEqual(await due(), { revision: 1, sweep_at: MILLIS + 2_000, pending_since: MILLIS })
  })

  it("under a key that leads here already keeps one outcome", async () => {
    await session.verdict(dispatch)
    assert.strictEqual(await session.verdict(again({ key: dispatch.key })), "RECORDED")
    assert.strictEqual((await sql("SELECT 1 FROM idempotency_keys")).length, 1)
  })
})

describe("a refusal", () => {
  it("of an account or a plan that is not the caller's", async () => {
    await refused({ ...dispatch, account_id: accountId(OTHER) }, "ACCOUNT_NOT_FOUND")
    await refused({ ...dispatch, plan: randomUUID() }, "PLAN_NOT_FOUND")
    await refused({ ...dispatch, principal: `bot:${await relayGrant()}` }, "PLAN_NOT_FOUND")
    await ledger.enroll(OTHER)
    await refused({ ...dispatch, account_id: accountId(OTHER) }, "PLAN_NOT_FOUND")
  })

  it("of a plan that is not as it was judged", async () => {
    await sql("UPDATE plans SET revision = 7")
    await refused(dispatch, "CONCURRENT_UPDATE")
    assert.strictEqual(await session.verdict({ ...dispatch, judged_revision: 7 }), "CLAIMED")
  })

  it("of a step that is bound to another transport or transaction", async () => {
    await session.verdict(dispatch)
    await refused(again({ hash: "0xbb" }), "STEP_ALREADY_BOUND", "0xaa")
    await refused(observe({ hash: "0xbb" }), "STEP_ALREADY_BOUND", "0xaa")
    await sql("UPDATE transport_bindings SET transport = 'eip4337-user-operation'")
    await refused(again(), "TRANSPORT_CONFLICT", "eip4337-user-operation")
  })

  it("of a wallet's nonce that another step has", async () => {
    await session.verdict(dispatch)
    await refused(again({ step: 1 }), "NONCE_RESERVED")
    await refused(observe({ step: 1, binding_id: randomUUID() }), "NONCE_RESERVED")
  })

  const grants: ReadonlyArray<readonly [string, () => Promise<string>]> = [
    ["revoked", () => relayGrant({ revoked_at: NOW })],
    ["over", () => relayGrant({ expires_at: NOW })],
    ["for planning alone", () => ledger.grant(account, ["read", "plan"])],
    ["of another account", async () => ledger.grant(await ledger.enroll(OTHER), ["read", "plan", "relay"])]
  ]
  it.each(grants)("of a grant that is %s, whatever is asked", async (_, make) => {
    const grant = await make()
    const own = await session.plan(account, `bot:${grant}`)
    const asked = asBot(dispatchOf(own), grant)
    await refused(asked, "FORBIDDEN")
    await refused({ ...asked, purpose: "observe" }, "FORBIDDEN")
    await refused(keyOnly(asked, "bundle"), "FORBIDDEN")
    assert.strictEqual(await session.verdict(keyOnly(asked, "repeat")), "RECORDED")
  })

  it("of consent, plan or dependencies that do not hold", async () => {
    await refused({ ...dispatch, approval_expires_at: NOW }, "OWNER_APPROVAL_EXPIRED")
    await refused({ ...dispatch, approval_issued_at: NOW + 31 }, "OWNER_APPROVAL_EXPIRED")
    await refused({ ...dispatch, is_blocked: true }, "DEPENDENCIES_UNCONFIRMED")
    await sql("UPDATE plans SET expires_at = $1", [MILLIS])
    await refused(dispatch, "PLAN_EXPIRED")
    await sql("UPDATE plans SET expires_at = $1", [MILLIS + 1])
    const edges = { approval_expires_at: NOW + 1, approval_issued_at: NOW + 30 }
    assert.strictEqual(await session.verdict({ ...dispatch, ...edges }), "CLAIMED")
  })

  it("of a key that names another request, or has no room", async () => {
    await refused({ ...dispatch, keys_per_account: 0 }, "STORAGE_LIMIT")
    await session.verdict(dispatch)
    const crossed = again({ key: dispatch.key, identity: "another", step: 1, nonce: "1" })
    for (const request of [crossed, { ...crossed, purpose: "observe" }])
      await refused(request, "IDEMPOTENCY_CONFLICT")
    for (const purpose of ["repeat", "bundle"] as const) {
      await refused({ ...keyOnly(dispatch, purpose), key: dispatch.key }, "IDEMPOTENCY_CONFLICT")
      await refused({ ...keyOnly(dispatch, purpose), keys_per_account: 1 }, "STORAGE_LIMIT")
    }
    assert.strictEqual(await session.verdict(again({ keys_per_account: 2 })), "RECORDED")
  })

  it("names the first thing that is wrong", async () => {
    const grant = await relayGrant({ revoked_at: NOW })
    plan = await session.plan(account, `bot:${grant}`)
    const good = asBot(dispatchOf(plan), grant)
    const holder = await session.plan(account, "holder")
    const key = randomUUID()
    await sql("INSERT INTO idempotency_keys VALUES ($1, $2, $3, 'another', 'plan', $4, NULL, 1)", [
      account,
      good.principal,
      key,
      plan
    ])
    await sql("UPDATE plans SET expires_at = $1 WHERE id = $2", [MILLIS, plan])
    await sql("INSERT INTO wallet_nonces VALUES (1, $1, 5, $2, 0)", [OWNER, holder])
    await sql("INSERT INTO transport_bindings VALUES ($1, 0, $2, gen_random_uuid(), '0xcc', '{}', '', 1)", [
      plan,
      dispatch.transport
    ])
    let asked: Request = {
      ...good,
      key,
      nonce: "5",
      judged_revision: 3,
      is_blocked: true,
      approval_expires_at: NOW
    }
    const right: ReadonlyArray<readonly [string, Request, string]> = [
      ["CONCURRENT_UPDATE", { judged_revision: 0 }, "SELECT 1"],
      ["STEP_ALREADY_BOUND", { hash: "0xcc" }, "SELECT 1"],
      ["NONCE_RESERVED", { nonce: "6" }, "SELECT 1"],
      ["FORBIDDEN", {}, "UPDATE bot_grants SET revoked_at = NULL"],
      ["OWNER_APPROVAL_EXPIRED", { approval_expires_at: NOW + 1 }, "SELECT 1"],
      ["PLAN_EXPIRED", {}, `UPDATE plans SET expires_at = ${MILLIS + 1}`],
      ["DEPENDENCIES_UNCONFIRMED", { is_blocked: false }, "SELECT 1"],
      ["IDEMPOTENCY_CONFLICT", { key: randomUUID() }, "SELECT 1"]
    ]
    for (const [verdict, over, repair] of right) {
      await refused(asked, verdict, verdict === "STEP_ALREADY_BOUND" ? "0xcc" : "")
      asked = { ...asked, ...over }
      await sql(repair)
    }
    assert.strictEqual(await session.verdict(asked), "CLAIMED")
  })
})

describe("a further claim", () => {
  beforeEach(async () => {
    await session.verdict(dispatch)
  })

  const settle = (outcome: string | null) => sql("UPDATE dispatch_leases SET outcome = $1", [outcome])
  const end = () => sql("UPDATE dispatch_leases SET expires_at = $1", [MILLIS])

  it("is none while one lives, or stands settled", async () => {
    assert.strictEqual(await session.verdict(again({ claims_seen: 1 })), "RECORDED")
    await settle("submitted")
    assert.strictEqual(await session.verdict(again({ claims_seen: 1 })), "RECORDED")
    assert.strictEqual((await lease()).count, 1)
    assert.strictEqual((await sql("SELECT 1 FROM owner_approvals")).length, 1)
  })

  it.each([
    ["whose time is over", "submitted"],
    ["whose time is over without outcome", null]
  ])("follows one %s, of who had seen it", async (_, outcome) => {
    await settle(outcome)
    await end()
    assert.strictEqual(await session.verdict(again({ claims_seen: 0 })), "RECORDED")
    assert.strictEqual(await session.verdict(again({ claims_seen: 1 })), "CLAIMED")
    assert.deepInclude(await lease(), { count: 2, outcome: null, expires_at: MILLIS + 30_000 })
    assert.strictEqual((await sql("SELECT 1 FROM owner_approvals")).length, 2)
  })

  it("follows one whose outcome is unknown, at once", async () => {
    await settle("unknown")
    assert.strictEqual(await session.verdict(again({ claims_seen: 1 })), "CLAIMED")
  })
})

describe("an observation", () => {
  const standing: ReadonlyArray<readonly [string | null, number, string | null]> = [
    [null, 1, null],
    [null, 0, "already-observed"],
    ["unknown", 1, "already-observed"],
    ["submitted", 0, "submitted"]
  ]
  it("binds and consents to nothing", async () => {
    assert.strictEqual(await session.verdict(observe()), "RECORDED")
    assert.deepInclude(await lease(), { count: 1, outcome: "already-observed" })
    assert.deepStrictEqual(await sql("SELECT 1 FROM owner_approvals"), [])
    assert.deepStrictEqual(await sql("SELECT kind, step FROM idempotency_keys"), [
      { kind: "submission", step: 0 }
    ])
    assert.deepStrictEqual(await due(), { revision: 1, sweep_at: MILLIS + 2_000, pending_since: MILLIS })
  })

  it.each(standing)(
    "of a claim that says %s with %i ms left leaves it %s",
    async (outcome, left, expected) => {
      await session.verdict(dispatch)
      await sql("UPDATE dispatch_leases SET outcome = $1, expires_at = $2", [outcome, MILLIS + left])
      assert.strictEqual(await session.verdict(observe({ key: randomUUID() })), "RECORDED")
      assert.strictEqual((await lease()).outcome, expected)
    }
  )

  it("needs neither fresh consent nor a living plan", async () => {
    await sql("UPDATE plans SET expires_at = created_at, revision = 4")
    assert.strictEqual(await session.verdict(observe({ approval_expires_at: null })), "RECORDED")
  })
})

describe("a key alone", () => {
  it("is kept for a repeat and for a bundle, and changes nothing else", async () => {
    await session.verdict(dispatch)
    const { keys: _, ...before } = await session.stored()
    assert.strictEqual(await session.verdict(keyOnly(dispatch, "repeat")), "RECORDED")
    assert.strictEqual(await session.verdict(keyOnly(dispatch, "bundle")), "RECORDED")
    const { keys: __, ...after } = await session.stored()
    assert.deepStrictEqual(after, before)
    assert.deepStrictEqual(await sql("SELECT kind, step FROM idempotency_keys ORDER BY kind, step"), [
      { kind: "bundle", step: null },
      { kind: "submission", step: 0 },
      { kind: "submission", step: 0 }
    ])
  })
})

describe("two replicas", () => {
  const beside = async () => {
    const elsewhere = await session.plan(await ledger.enroll(OTHER), `owner:${accountId(OTHER)}`)
    return dispatchOf(elsewhere, OTHER)
  }

  /** Another claim holds the wallet's nonce and gives it up again, or keeps it, once this one waits for it. */
  const contested = async (request: Request, end: "COMMIT" | "ROLLBACK", act: () => Promise<void>) => {
    await rival.rows("BEGIN")
    assert.strictEqual(await rival.verdict(await beside()), "CLAIMED")
    const verdict = session.verdict(request)
    await new LedgerSession(rival.client).blocking()
    await act()
    await rival.rows(end)
    return verdict
  }

  it("look at the time after they waited for a wallet's nonce", async () => {
    const over = await contested(dispatch, "ROLLBACK", () => stopClock(database.url, NOW + 50))
    assert.strictEqual(over, "OWNER_APPROVAL_EXPIRED")
    const { bindings, nonces, leases, keys } = await session.stored()
    assert.deepStrictEqual([bindings, nonces, leases, keys], [null, null, null, null])
  })

  it("go on with the nonce that the other gave up, and without the one that it took", async () => {
    assert.strictEqual(
      await contested(dispatch, "ROLLBACK", () => runClock(database.url, 0)),
      "OWNER_APPROVAL_EXPIRED"
    )
    await sql("TRUNCATE accounts CASCADE")
    await stopClock(database.url, NOW)
    account = await ledger.enroll()
    plan = await session.plan(account, `owner:${accountId()}`)
    const nothing = () => Promise.resolve()
    assert.strictEqual(await contested(dispatchOf(plan), "COMMIT", nothing), "NONCE_RESERVED")
    assert.lengthOf(await sql("SELECT 1 FROM wallet_nonces"), 1)
    assert.deepStrictEqual(await sql("SELECT 1 FROM transport_bindings WHERE plan = $1", [plan]), [])
  })

  it("claim a step once, whoever is first", async () => {
    for (let round = 0; round < 20; round++) {
      plan = await session.plan(account, `owner:${accountId()}`)
      const request = { ...dispatchOf(plan), nonce: String(round) }
      const twin = {
        ...request,
        key: randomUUID(),
        token: randomUUID(),
        binding_id: randomUUID(),
        judged_revision: null
      }
      const verdicts = await Promise.all([
        session.verdict({ ...request, judged_revision: null }),
        rival.verdict(twin)
      ])
      assert.deepStrictEqual(verdicts.toSorted(), ["CLAIMED", "RECORDED"])
      assert.strictEqual((await lease()).count, 1)
    }
  })

  it("see a plan that changed while they waited for it", async () => {
    await rival.rows("BEGIN")
    await rival.rows("UPDATE plans SET revision = revision + 1 WHERE id = $1", [plan])
    const verdict = session.verdict(dispatch)
    await new LedgerSession(rival.client).blocking()
    await rival.rows("COMMIT")
    assert.strictEqual(await verdict, "CONCURRENT_UPDATE")
  })

  it("give up on a lock in the pool's time, as a failure of the statement", async () => {
    await rival.rows("BEGIN")
    await rival.rows("SELECT 1 FROM accounts WHERE number = $1 FOR UPDATE", [account])
    const before = await rival.stored()
    await sql("SET lock_timeout = 1")
    const state = await session.verdict(dispatch).then(
      verdict => verdict,
      failure => failure.code
    )
    await sql("RESET lock_timeout")
    assert.strictEqual(state, "55P03")
    assert.deepStrictEqual(await rival.stored(), before)
  })
})
