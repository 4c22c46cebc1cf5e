/** The claim as the database decides it: what it writes, once and when again. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { ClaimBench } from "../support/ClaimBench.ts"
import { keyOnly, MILLIS, NOW } from "../support/ClaimSession.ts"
import { accountId, OWNER } from "../support/Ledger.ts"

const bench = await ClaimBench.open()

beforeEach(() => bench.begin())
afterAll(() => bench.close())

describe("a dispatch", () => {
  it("binds, claims, consents, remembers and makes the plan due, in one", async () => {
    assert.deepStrictEqual(await bench.session.ask(bench.dispatch), { verdict: "CLAIMED", bound_to: null })
    const step = { plan: bench.plan, step: 0 }
    const { bindings, leases, keys } = await bench.session.stored()
    assert.deepStrictEqual(bindings, [
      {
        ...step,
        transport: bench.dispatch.transport,
        binding_id: bench.dispatch.binding_id,
        hash: "0xaa",
        transaction: bench.dispatch.transaction,
        raw: "\\x02f8",
        bound_at: MILLIS
      }
    ])
    assert.deepStrictEqual(await bench.sql("SELECT * FROM reserved_nonces"), [
      { scope: `eip155:1:${OWNER}`, nonce: String(bench.dispatch.nonce), ...step }
    ])
    assert.deepStrictEqual(leases, [
      {
        ...step,
        token: bench.dispatch.token,
        hash: "0xaa",
        count: 1,
        reserved_at: MILLIS,
        expires_at: MILLIS + 30_000,
        outcome: null,
        broadcast_at: null
      }
    ])
    assert.deepStrictEqual(await bench.sql("SELECT form, signer, nonce, recorded_at FROM owner_approvals"), [
      { form: "owner-request", signer: OWNER, nonce: "0x01", recorded_at: MILLIS }
    ])
    assert.deepStrictEqual(keys, [
      {
        ...step,
        account: bench.account,
        principal: bench.dispatch.principal,
        key: bench.dispatch.key,
        identity: "a request",
        kind: "submission",
        created_at: MILLIS
      }
    ])
    assert.deepStrictEqual(await bench.due(), {
      revision: 1,
      sweep_at: MILLIS + 2_000,
      pending_since: MILLIS
    })
  })

  it("under a key that leads here already keeps one outcome", async () => {
    await bench.session.verdict(bench.dispatch)
    assert.strictEqual(await bench.session.verdict(bench.again({ key: bench.dispatch.key })), "RECORDED")
    assert.strictEqual((await bench.sql("SELECT 1 FROM idempotency_keys")).length, 1)
  })
})

describe("a nonce", () => {
  const bySender = () => ({ chain_id: 1, sender: OWNER, nonce: "7" })
  const byScope = () => ({
    ...{ chain_id: null, sender: null, nonce: null },
    ...{ nonce_scope: `eip155:1:${OWNER}`, nonce_text: "7" }
  })

  it.each([
    ["its scope and text", byScope, bySender],
    ["its sender and number", bySender, byScope]
  ])("named by %s is reserved against the other name too", async (_, first, second) => {
    assert.strictEqual(await bench.session.verdict({ ...bench.dispatch, ...first() }), "CLAIMED")
    await bench.refused(bench.again({ step: 1, ...second() }), "NONCE_RESERVED")
    assert.strictEqual(await bench.session.verdict(bench.again(second())), "RECORDED")
    assert.deepStrictEqual(await bench.sql("SELECT scope, nonce, step FROM reserved_nonces"), [
      { scope: `eip155:1:${OWNER}`, nonce: "7", step: 0 }
    ])
  })

  it.each(["", "07", "0x7", "-7", "7.0"])("of the text %s is none", async text => {
    const failed = await bench.session
      .verdict({ ...bench.dispatch, ...byScope(), nonce_text: text })
      .catch(failure => failure.code)
    assert.strictEqual(failed, "23514")
  })
})

describe("several steps", () => {
  const bind = (steps: ReadonlyArray<number>, nonces: ReadonlyArray<string>, id: string) =>
    bench.sql(
      `SELECT bind_steps(
        (SELECT array_agg((p.id, s, 'eip4337-user-operation', $2::uuid, NULL, NULL, NULL, 1)::transport_bindings ORDER BY s)
          FROM unnest($3::smallint[]) s),
        (SELECT array_agg(('eip155:1:0xwallet', n, p.id, 0)::reserved_nonces) FROM unnest($4::text[]) n)
      ) FROM plans p WHERE p.id = $1`,
      [bench.plan, id, steps, nonces]
    )
  const refusal = (failure: { readonly message: string }) => failure.message

  it("leave by one binding of another transport, for good", async () => {
    const id = randomUUID()
    await bind([0, 1], ["5", "9"], id)
    await bind([0, 1], ["5", "9"], id)
    assert.deepStrictEqual(
      await bench.sql("SELECT step, binding_id, hash FROM transport_bindings ORDER BY step"),
      [
        { step: 0, binding_id: id, hash: null },
        { step: 1, binding_id: id, hash: null }
      ]
    )
    assert.strictEqual(await bind([0], ["5"], randomUUID()).catch(refusal), "STEP_ALREADY_BOUND")
    await bench.refused(bench.dispatch, "TRANSPORT_CONFLICT", "eip4337-user-operation")
  })

  it("take all of their nonces or none", async () => {
    await bind([0], ["5"], randomUUID())
    const plan = await bench.session.plan(bench.account, `owner:${accountId()}`)
    bench.plan = plan
    assert.strictEqual(await bind([0, 1], ["4", "5", "6"], randomUUID()).catch(refusal), "NONCE_RESERVED")
    assert.deepStrictEqual(await bench.sql("SELECT nonce FROM reserved_nonces"), [{ nonce: "5" }])
    assert.deepStrictEqual(await bench.sql("SELECT 1 FROM transport_bindings WHERE plan = $1", [plan]), [])
  })
})

describe("a further claim", () => {
  beforeEach(async () => {
    await bench.session.verdict(bench.dispatch)
  })

  const settle = (outcome: string | null) => bench.sql("UPDATE dispatch_leases SET outcome = $1", [outcome])
  const end = () => bench.sql("UPDATE dispatch_leases SET expires_at = $1", [MILLIS])

  it("is none while one lives, or stands settled", async () => {
    assert.strictEqual(await bench.session.verdict(bench.again({ claims_seen: 1 })), "RECORDED")
    await settle("submitted")
    assert.strictEqual(await bench.session.verdict(bench.again({ claims_seen: 1 })), "RECORDED")
    assert.strictEqual((await bench.lease()).count, 1)
    assert.strictEqual((await bench.sql("SELECT 1 FROM owner_approvals")).length, 1)
  })

  it.each([
    ["whose time is over", "submitted"],
    ["whose time is over without outcome", null]
  ])("follows one %s, of who had seen it", async (_, outcome) => {
    await settle(outcome)
    await end()
    assert.strictEqual(await bench.session.verdict(bench.again({ claims_seen: 0 })), "RECORDED")
    assert.strictEqual(await bench.session.verdict(bench.again({ claims_seen: 1 })), "CLAIMED")
    assert.deepInclude(await bench.lease(), { count: 2, outcome: null, expires_at: MILLIS + 30_000 })
    assert.strictEqual((await bench.sql("SELECT 1 FROM owner_approvals")).length, 2)
  })

  it("of the step's own bytes follows whatever the plan's age, under consent of its own time", async () => {
    await settle("submitted")
    await end()
    await bench.sql("UPDATE plans SET expires_at = created_at")
    const own = bench.again({ claims_seen: 1 })
    await bench.refused(bench.again({ claims_seen: 1, hash: "0xbb" }), "STEP_ALREADY_BOUND", "0xaa")
    await bench.refused({ ...own, approval_expires_at: NOW }, "OWNER_APPROVAL_EXPIRED")
    await bench.refused({ ...own, is_blocked: true }, "DEPENDENCIES_UNCONFIRMED")
    await bench.refused(bench.again({ step: 1, nonce: "1" }), "PLAN_EXPIRED")
    assert.strictEqual(await bench.session.verdict(own), "CLAIMED")
    assert.strictEqual(await bench.session.verdict(bench.again({ claims_seen: 1 })), "RECORDED")
    assert.deepInclude(await bench.lease(), { hash: "0xaa", count: 2, outcome: null })
  })

  const seen: ReadonlyArray<readonly [string, boolean | undefined, string | null]> = [
    ["unknown", undefined, null],
    ["reorged", false, null],
    ["unknown", true, "unknown"],
    ["confirming", true, "confirming"]
  ]
  it.each(seen)(
    "of a step seen %s, its receipt canonical: %s, leaves it %s",
    async (before, canonical, after) => {
      await settle("submitted")
      await end()
      const receipt = canonical === undefined ? null : JSON.stringify({ canonical })
      await bench.sql("UPDATE plan_steps SET observed = $1, receipt = $2 WHERE step = 0", [before, receipt])
      assert.strictEqual(await bench.session.verdict(bench.again({ claims_seen: 1 })), "CLAIMED")
      const [step] = await bench.sql("SELECT observed, receipt FROM plan_steps WHERE step = 0")
      assert.strictEqual(step.observed, after)
      assert.deepStrictEqual(step.receipt, canonical === undefined ? null : { canonical })
    }
  )

  it("follows one whose outcome is unknown, at once", async () => {
    await settle("unknown")
    assert.strictEqual(await bench.session.verdict(bench.again({ claims_seen: 1 })), "CLAIMED")
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
    assert.strictEqual(await bench.session.verdict(bench.observe()), "RECORDED")
    assert.deepInclude(await bench.lease(), { count: 1, outcome: "already-observed" })
    assert.deepStrictEqual(await bench.sql("SELECT 1 FROM owner_approvals"), [])
    assert.deepStrictEqual(await bench.sql("SELECT kind, step FROM idempotency_keys"), [
      { kind: "submission", step: 0 }
    ])
    assert.deepStrictEqual(await bench.due(), {
      revision: 1,
      sweep_at: MILLIS + 2_000,
      pending_since: MILLIS
    })
  })

  it.each(standing)(
    "of a claim that says %s with %i ms left leaves it %s",
    async (outcome, left, expected) => {
      await bench.session.verdict(bench.dispatch)
      await bench.sql("UPDATE dispatch_leases SET outcome = $1, expires_at = $2", [outcome, MILLIS + left])
      assert.strictEqual(await bench.session.verdict(bench.observe({ key: randomUUID() })), "RECORDED")
      assert.strictEqual((await bench.lease()).outcome, expected)
    }
  )

  it("needs neither fresh consent nor a living plan", async () => {
    await bench.sql("UPDATE plans SET expires_at = created_at, revision = 4")
    assert.strictEqual(await bench.session.verdict(bench.observe({ approval_expires_at: null })), "RECORDED")
  })
})

describe("a key alone", () => {
  it("is kept for a repeat and for a bundle, and changes nothing else", async () => {
    await bench.session.verdict(bench.dispatch)
    const { keys: _, ...before } = await bench.session.stored()
    assert.strictEqual(await bench.session.verdict(keyOnly(bench.dispatch, "repeat")), "RECORDED")
    assert.strictEqual(await bench.session.verdict(keyOnly(bench.dispatch, "bundle")), "RECORDED")
    const { keys: __, ...after } = await bench.session.stored()
    assert.deepStrictEqual(after, before)
    assert.deepStrictEqual(await bench.sql("SELECT kind, step FROM idempotency_keys ORDER BY kind, step"), [
      { kind: "bundle", step: null },
      { kind: "submission", step: 0 },
      { kind: "submission", step: 0 }
    ])
  })
})
