/** The claim of an operation's one sending, on rows put there by hand, over a clock that stands. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { ClaimBench } from "../support/ClaimBench.ts"
import { MILLIS, NOW, type Request } from "../support/ClaimSession.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { accountId, LedgerSession } from "../support/Ledger.ts"
import { CLAIM_SENDING, operationRows } from "./support/OperationRows.ts"

let bench: ClaimBench
let rows: ReturnType<typeof operationRows>
let operation = ""

beforeAll(async () => {
  bench = await ClaimBench.open()
  rows = operationRows(bench)
})
afterAll(() => bench.close())

beforeEach(async () => {
  await rows.begin()
  operation = await rows.insert()
})

const insertOperation = (over: Request = {}) => rows.insert(over)
const bindWallet = (account: number, id: string) => rows.bindWallet(account, id)
const request = (over: Request = {}) => rows.request(operation, over)
const asked = (given: Request) => rows.asked(given)
const refused = (given: Request, verdict: string, boundTo = "") => rows.refused(given, verdict, boundTo)

describe("a claim", () => {
  it("binds every step, reserves the nonce, and gives the right to send for a minute", async () => {
    const both = await insertOperation({ steps: [0, 1], nonce: 8 })
    const given = request({ operation: both })
    assert.deepEqual(await asked(given), { verdict: "CLAIMED", bound_to: null })
    assert.deepEqual(
      await bench.sql("SELECT step, transport, binding_id FROM transport_bindings ORDER BY step"),
      [0, 1].map(step => ({ step, transport: "eip4337-user-operation", binding_id: both }))
    )
    assert.deepEqual(
      await bench.sql("SELECT reserved_at, expires_at, outcome, signature FROM operation_sends"),
      [{ reserved_at: MILLIS, expires_at: MILLIS + 60_000, outcome: null, signature: "0x5165" }]
    )
    assert.deepEqual(await bench.sql("SELECT claimed, revision FROM user_operations WHERE id = $1", [both]), [
      { claimed: true, revision: 1 }
    ])
    assert.deepEqual(await bench.due(), { revision: 1, sweep_at: MILLIS + 2_000, pending_since: MILLIS })
    assert.deepEqual(await bench.sql("SELECT kind, subject FROM idempotency_keys"), [
      { kind: "send", subject: both }
    ])
  })

  it("stands for the very request, whatever became of what it rests on, and for no other one", async () => {
    const given = request()
    await asked(given)
    await bench.sql("UPDATE bindings SET unlinked_at = 1")
    assert.deepEqual(await asked({ ...given, token: randomUUID() }), { verdict: "RECORDED", bound_to: null })
    await refused({ ...given, identity: "another request" }, "IDEMPOTENCY_CONFLICT")
    await refused(request(), "USER_OPERATION_CONFLICT")
  })
})

describe("a claim without a lease, by which nothing is sent,", () => {
  it.each([
    ["the operation's time is over", "UPDATE user_operations SET expires_at = $1"],
    ["the plan's time is over", "UPDATE plans SET expires_at = $1"],
    ["its wallet is not bound any more", "UPDATE bindings SET unlinked_at = $1"]
  ])("stands though %s", async (_, change) => {
    await bench.sql(change, [MILLIS])
    assert.equal((await asked(request({ lease_millis: 0 }))).verdict, "CLAIMED")
    assert.deepEqual(await bench.sql("SELECT reserved_at, expires_at FROM operation_sends"), [
      { reserved_at: MILLIS, expires_at: MILLIS }
    ])
  })

  it("is refused as ever where a step left by another way, or another operation has the nonce", async () => {
    await asked(request())
    const twin = await insertOperation({ nonce: 8 })
    await refused(request({ operation: twin, lease_millis: 0 }), "STEP_ALREADY_BOUND", operation)
    const other = await insertOperation({ steps: [1] })
    await refused(request({ operation: other, lease_millis: 0 }), "USER_OPERATION_NONCE_RESERVED")
  })
})

describe("a claim is refused, and leaves nothing behind,", () => {
  it("of an operation of nobody's, or of another principal's", async () => {
    await refused(request({ operation: randomUUID() }), "USER_OPERATION_NOT_FOUND")
    await refused(request({ principal: "bot:1" }), "USER_OPERATION_NOT_FOUND")
    await refused(request({ account_id: accountId(`0x${"00".repeat(20)}`) }), "ACCOUNT_NOT_FOUND")
  })

  it.each([
    ["unlinked_at = 1", "its wallet was unlinked"],
    [`state_hash = '0x${"58".repeat(32)}'`, "its wallet was bound in another state"]
  ])("once %s", async change => {
    await bench.sql(`UPDATE bindings SET ${change}`)
    await refused(request(), "SMART_ACCOUNT_CHANGED", "binding")
  })

  it.each([
    ["revoked", ["read", "plan", "relay"], { revoked_at: NOW }],
    ["over", ["read", "plan", "relay"], { expires_at: NOW }],
    ["for planning alone", ["read", "plan"], {}]
  ] as const)("of a grant that is %s", async (_, scopes, over) => {
    const grant = await bench.ledger.grant(bench.account, scopes, over)
    const principal = `bot:${grant}`
    const plan = await bench.session.plan(bench.account, principal)
    const theirs = await insertOperation({ principal, plan })
    await refused(request({ principal, grant_id: grant, operation: theirs }), "FORBIDDEN")
  })

  it.each([
    ["the operation's", "UPDATE user_operations SET expires_at = $1", MILLIS],
    ["the signatures'", "UPDATE user_operations SET valid_until = $1", NOW],
    ["the plan's", "UPDATE plans SET expires_at = $1", MILLIS]
  ])("once %s time is over", async (_, change, end) => {
    await bench.sql(change, [end])
    await refused(request(), "USER_OPERATION_EXPIRED")
    await bench.sql(change, [end + 1])
    assert.equal((await asked(request())).verdict, "CLAIMED")
  })

  it("is none for a plan of before a restoration", async () => {
    await bench.sql("SELECT mark_restored(true)")
    await refused(request({ judged_revision: 1 }), "USER_OPERATION_EXPIRED")
    await bench.sql("TRUNCATE restorations")
  })

  it("and no operation that was stored before one is younger than it, whatever the lost server's clock", async () => {
    await bench.sql("UPDATE user_operations SET created_at = $1", [MILLIS + 60_000])
    const marked = await bench.sql("SELECT restored_at FROM mark_restored(true)")
    assert.deepEqual(marked, [{ restored_at: MILLIS + 60_000 }])
    await bench.sql("TRUNCATE restorations")
  })

  it("where the plan is not as it was judged, or its dependencies were not met", async () => {
    await refused(request({ judged_revision: 4 }), "CONCURRENT_UPDATE")
    await refused(request({ is_blocked: true }), "DEPENDENCIES_UNCONFIRMED")
  })

  it("where the account has no room for another key", async () => {
    await asked(request())
    const other = await insertOperation({ steps: [1], nonce: 8 })
    await refused(request({ operation: other, keys_per_account: 1 }), "STORAGE_LIMIT")
  })

  it("where one of the steps leaves by another transport, or by another operation", async () => {
    assert.equal((await bench.session.ask(bench.again({ step: 0, judged_revision: 0 }))).verdict, "CLAIMED")
    await refused(request(), "TRANSPORT_CONFLICT", "signed-eoa-transaction")
    const both = await insertOperation({ steps: [1, 0], nonce: 9 })
    await refused(request({ operation: both }), "TRANSPORT_CONFLICT", "signed-eoa-transaction")
    const alone = await insertOperation({ steps: [1], nonce: 10 })
    assert.equal((await asked(request({ operation: alone }))).verdict, "CLAIMED")
    const twin = await insertOperation({ steps: [1], nonce: 11 })
    await refused(request({ operation: twin }), "STEP_ALREADY_BOUND", alone)
  })

  it("the other way round: a step of an operation is not sent by a transaction", async () => {
    await asked(request())
    await bench.refused(bench.again({ step: 0 }), "TRANSPORT_CONFLICT", "eip4337-user-operation")
  })
})

describe("a wallet's nonce", () => {
  const second = () => insertOperation({ steps: [1] })

  it("is one operation's", async () => {
    await asked(request())
    await refused(request({ operation: await second() }), "USER_OPERATION_NONCE_RESERVED")
  })

  it("is given again once its operation is proved dead, and not while that is in doubt", async () => {
    await asked(request())
    const other = await second()
    await bench.sql(
      "UPDATE user_operations SET dead_block = 1, dead_hash = '0xd', revived = true WHERE id = $1",
      [operation]
    )
    await refused(request({ operation: other }), "USER_OPERATION_NONCE_RESERVED")
    await bench.sql("UPDATE user_operations SET revived = false")
    assert.equal((await asked(request({ operation: other }))).verdict, "CLAIMED")
  })

  it("is given again to the account that had it, and to no other one that the wallet is bound to", async () => {
    await asked(request())
    await bench.sql("UPDATE user_operations SET dead_block = 1, dead_hash = '0xd'")
    const stranger = `0x${"e7".repeat(20)}`
    const account = await bench.ledger.enroll(stranger)
    const principal = `owner:${accountId(stranger)}`
    const plan = await bench.session.plan(account, principal)
    const binding = `0x${"b2".repeat(32)}`
    await bindWallet(account, binding)
    const theirs = { account, principal, plan, binding }
    const ask = async (nonce: number) =>
      asked(
        request({
          account_id: accountId(stranger),
          principal,
          operation: await insertOperation({ ...theirs, nonce })
        })
      )
    assert.deepEqual(await ask(7), { verdict: "USER_OPERATION_NONCE_RESERVED", bound_to: "account" })
    assert.deepEqual(await ask(8), { verdict: "CLAIMED", bound_to: null })
  })

  /** Another account's claim has the wallet, and ends once this one waits for it. */
  const contested = async (end: "COMMIT" | "ROLLBACK", act: () => Promise<void>) => {
    const stranger = `0x${"e7".repeat(20)}`
    const account = await bench.ledger.enroll(stranger)
    const principal = `owner:${accountId(stranger)}`
    const plan = await bench.session.plan(account, principal)
    const binding = `0x${"b2".repeat(32)}`
    await bindWallet(account, binding)
    const theirs = await insertOperation({ account, principal, plan, binding })
    const claim = request({ account_id: accountId(stranger), principal, operation: theirs })
    await bench.rival.rows("BEGIN")
    await bench.rival.rows(CLAIM_SENDING, [JSON.stringify(claim)])
    const waiting = asked(request())
    await new LedgerSession(bench.rival.client).blocking()
    await act()
    await bench.rival.rows(end)
    return waiting
  }

  it("is the first one's of two accounts that claim at once", async () => {
    const verdict = await contested("COMMIT", () => Promise.resolve())
    assert.deepEqual(verdict, { verdict: "USER_OPERATION_NONCE_RESERVED", bound_to: "" })
  })

  it("is waited for before time is looked at", async () => {
    const verdict = await contested("ROLLBACK", () => stopClock(bench.database.url, NOW + 40))
    assert.deepEqual(verdict, { verdict: "USER_OPERATION_EXPIRED", bound_to: "" })
  })
})

describe("an outcome", () => {
  it("is stored once, for whoever has the right to send", async () => {
    const token = randomUUID()
    await asked(request({ token }))
    const settle = (by: string, told: string) =>
      bench.sql("SELECT settle_operation($1, $2, $3)", [operation, by, told])
    const outcome = async () => (await bench.sql("SELECT outcome, answered_at FROM operation_sends"))[0]
    await settle(randomUUID(), "accepted")
    assert.deepEqual(await outcome(), { outcome: null, answered_at: null })
    await settle(token, "unknown")
    await stopClock(bench.database.url, NOW + 1)
    await settle(token, "accepted")
    assert.deepEqual(await outcome(), { outcome: "unknown", answered_at: MILLIS })
    assert.deepEqual(await bench.sql("SELECT revision FROM user_operations"), [{ revision: 2 }])
  })
})
