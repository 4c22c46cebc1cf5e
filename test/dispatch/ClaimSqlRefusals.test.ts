/** Every verdict by which the database refuses a claim, and nothing left behind by it. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { ClaimBench, OTHER } from "../support/ClaimBench.ts"
import { asBot, dispatchOf, keyOnly, MILLIS, NOW, type Request } from "../support/ClaimSession.ts"
import { accountId, OWNER } from "../support/Ledger.ts"

const bench = await ClaimBench.open()

beforeEach(() => bench.begin())
afterAll(() => bench.close())

describe("a refusal", () => {
  it("of an account or a plan that is not the caller's", async () => {
    await bench.refused({ ...bench.dispatch, account_id: accountId(OTHER) }, "ACCOUNT_NOT_FOUND")
    await bench.refused({ ...bench.dispatch, plan: randomUUID() }, "PLAN_NOT_FOUND")
    await bench.refused({ ...bench.dispatch, principal: `bot:${await bench.relayGrant()}` }, "PLAN_NOT_FOUND")
    await bench.ledger.enroll(OTHER)
    await bench.refused({ ...bench.dispatch, account_id: accountId(OTHER) }, "PLAN_NOT_FOUND")
  })

  it("of a plan that is not as it was judged", async () => {
    await bench.sql("UPDATE plans SET revision = 7")
    await bench.refused(bench.dispatch, "CONCURRENT_UPDATE")
    assert.strictEqual(await bench.session.verdict({ ...bench.dispatch, judged_revision: 7 }), "CLAIMED")
  })

  it("of a step that is bound to another transport or transaction", async () => {
    await bench.session.verdict(bench.dispatch)
    await bench.refused(bench.again({ hash: "0xbb" }), "STEP_ALREADY_BOUND", "0xaa")
    await bench.refused(bench.observe({ hash: "0xbb" }), "STEP_ALREADY_BOUND", "0xaa")
    await bench.sql("UPDATE transport_bindings SET transport = 'eip4337-user-operation'")
    await bench.refused(bench.again(), "TRANSPORT_CONFLICT", "eip4337-user-operation")
  })

  it("of a wallet's nonce that another step has", async () => {
    await bench.session.verdict(bench.dispatch)
    await bench.refused(bench.again({ step: 1 }), "NONCE_RESERVED")
    await bench.refused(bench.observe({ step: 1, binding_id: randomUUID() }), "NONCE_RESERVED")
  })

  const grants: ReadonlyArray<readonly [string, () => Promise<string>]> = [
    ["revoked", () => bench.relayGrant({ revoked_at: NOW })],
    ["over", () => bench.relayGrant({ expires_at: NOW })],
    ["for planning alone", () => bench.ledger.grant(bench.account, ["read", "plan"])],
    [
      "of another account",
      async () => bench.ledger.grant(await bench.ledger.enroll(OTHER), ["read", "plan", "relay"])
    ]
  ]
  it.each(grants)("of a grant that is %s, whatever is asked", async (_, make) => {
    const grant = await make()
    const own = await bench.session.plan(bench.account, `bot:${grant}`)
    const asked = asBot(dispatchOf(own), grant)
    await bench.refused(asked, "FORBIDDEN")
    await bench.refused({ ...asked, purpose: "observe" }, "FORBIDDEN")
    await bench.refused(keyOnly(asked, "bundle"), "FORBIDDEN")
    assert.strictEqual(await bench.session.verdict(keyOnly(asked, "repeat")), "RECORDED")
  })

  it("of consent, plan or dependencies that do not hold", async () => {
    await bench.refused({ ...bench.dispatch, approval_expires_at: NOW }, "OWNER_APPROVAL_EXPIRED")
    await bench.refused({ ...bench.dispatch, approval_issued_at: NOW + 31 }, "OWNER_APPROVAL_EXPIRED")
    await bench.refused({ ...bench.dispatch, is_blocked: true }, "DEPENDENCIES_UNCONFIRMED")
    await bench.sql("UPDATE plans SET expires_at = $1", [MILLIS])
    await bench.refused(bench.dispatch, "PLAN_EXPIRED")
    await bench.sql("UPDATE plans SET expires_at = $1", [MILLIS + 1])
    const edges = { approval_expires_at: NOW + 1, approval_issued_at: NOW + 30 }
    assert.strictEqual(await bench.session.verdict({ ...bench.dispatch, ...edges }), "CLAIMED")
  })

  it("of a key that names another request, or has no room", async () => {
    await bench.refused({ ...bench.dispatch, keys_per_account: 0 }, "STORAGE_LIMIT")
    await bench.session.verdict(bench.dispatch)
    const crossed = bench.again({ key: bench.dispatch.key, identity: "another", step: 1, nonce: "1" })
    for (const request of [crossed, { ...crossed, purpose: "observe" }])
      await bench.refused(request, "IDEMPOTENCY_CONFLICT")
    for (const purpose of ["repeat", "bundle"] as const) {
      await bench.refused(
        { ...keyOnly(bench.dispatch, purpose), key: bench.dispatch.key },
        "IDEMPOTENCY_CONFLICT"
      )
      await bench.refused({ ...keyOnly(bench.dispatch, purpose), keys_per_account: 1 }, "STORAGE_LIMIT")
    }
    assert.strictEqual(await bench.session.verdict(bench.again({ keys_per_account: 2 })), "RECORDED")
  })

  it("names the first thing that is wrong", async () => {
    const grant = await bench.relayGrant({ revoked_at: NOW })
    bench.plan = await bench.session.plan(bench.account, `bot:${grant}`)
    const good = asBot(dispatchOf(bench.plan), grant)
    const holder = await bench.session.plan(bench.account, "holder")
    const key = randomUUID()
    await bench.sql("INSERT INTO idempotency_keys VALUES ($1, $2, $3, 'another', 'plan', $4, NULL, 1)", [
      bench.account,
      good.principal,
      key,
      bench.plan
    ])
    await bench.sql("UPDATE plans SET expires_at = $1 WHERE id = $2", [MILLIS, bench.plan])
    await bench.sql("INSERT INTO reserved_nonces VALUES ('eip155:1:' || $1, '5', $2, 0)", [OWNER, holder])
    await bench.sql(
      "INSERT INTO transport_bindings VALUES ($1, 0, $2, gen_random_uuid(), '0xcc', '{}', '', 1)",
      [bench.plan, bench.dispatch.transport]
    )
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
      ["STEP_ALREADY_BOUND", {}, "DELETE FROM transport_bindings"],
      ["NONCE_RESERVED", { nonce: "6" }, "SELECT 1"],
      ["FORBIDDEN", {}, "UPDATE bot_grants SET revoked_at = NULL"],
      ["OWNER_APPROVAL_EXPIRED", { approval_expires_at: NOW + 1 }, "SELECT 1"],
      ["PLAN_EXPIRED", {}, `UPDATE plans SET expires_at = ${MILLIS + 1}`],
      ["DEPENDENCIES_UNCONFIRMED", { is_blocked: false }, "SELECT 1"],
      ["IDEMPOTENCY_CONFLICT", { key: randomUUID() }, "SELECT 1"]
    ]
    for (const [verdict, over, repair] of right) {
      await bench.refused(asked, verdict, verdict === "STEP_ALREADY_BOUND" ? "0xcc" : "")
      asked = { ...asked, ...over }
      await bench.sql(repair)
    }
    assert.strictEqual(await bench.session.verdict(asked), "CLAIMED")
  })
})
