/** The claim of an operation's one sending, on rows put there by hand, over a clock that stands. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { ClaimBench } from "../support/ClaimBench.ts"
import { MILLIS, NOW, type Request } from "../support/ClaimSession.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { accountId, LedgerSession } from "../support/Ledger.ts"

const WALLET = `0x${"5a".repeat(20)}`
const STATE = `0x${"57".repeat(32)}`
const BINDING = `0x${"b1".repeat(32)}`

const CLAIM =
  "SELECT verdict, bound_to FROM claim_user_operation(json_populate_record(NULL::send_request, $1::json))"

let bench: ClaimBench
let operation = ""

beforeAll(async () => {
  bench = await ClaimBench.open()
})
afterAll(() => bench.close())

const owner = `owner:${accountId()}`

const insertOperation = async (over: Request = {}): Promise<string> => {
  const id = randomUUID()
  const row = {
    id,
    account: bench.account,
    principal: owner,
    plan: bench.plan,
    steps: [0],
    chain_id: 1,
    entry_point: "0xe",
    sender: WALLET,
    nonce: 7,
    binding: BINDING,
    state_hash: STATE,
    terms: {},
    operation_hash: `0x${id}`,
    commitment: "0xc",
    created_at: MILLIS,
    expires_at: MILLIS + 50_000,
    valid_until: NOW + 40,
    since_block: 1,
    maximum_cost: 1,
    wallet_code_hash: "0x1",
    entry_point_code_hash: "0x2",
    revision: 0,
    claimed: false,
    revived: false,
    sweep_attempts: 0,
    ...over
  }
  await bench.sql(
    "INSERT INTO user_operations SELECT * FROM json_populate_record(NULL::user_operations, $1)",
    [JSON.stringify(row)]
  )
  return id
}

const bindWallet = (account: number, id: string) =>
  bench.sql(
    `INSERT INTO bindings (id, account, chain_id, address, manifest, state_hash, snapshot, digest, nonce, expires_at, created_at)
     VALUES ($1, $2, 1, $3, 'm', $4, '{}', '0xd', '0x1', 1, 1)`,
    [id, account, WALLET, STATE]
  )

beforeEach(async () => {
  await bench.begin()
  await bench.sql("TRUNCATE wallets CASCADE")
  await bench.sql("INSERT INTO wallets VALUES (1, $1)", [WALLET])
  await bindWallet(bench.account, BINDING)
  operation = await insertOperation()
})

const request = (over: Request = {}): Request => ({
  account_id: accountId(),
  principal: owner,
  grant_id: null,
  operation,
  key: randomUUID(),
  identity: "a request",
  keys_per_account: 10_000,
  commitment: "0xf",
  signature: "0x5165",
  judged_revision: null,
  is_blocked: false,
  token: randomUUID(),
  lease_millis: 60_000,
  sweep_millis: 2_000,
  ...over
})

const asked = async (given: Request) => (await bench.sql(CLAIM, [JSON.stringify(given)]))[0]

const stored = async () => {
  const tables = ["transport_bindings", "user_operations", "operation_sends", "idempotency_keys", "plans"]
  const lists = tables.map(table => `(SELECT json_agg(t ORDER BY t::text) FROM ${table} t) AS ${table}`)
  return (await bench.sql(`SELECT ${lists.join(", ")}`))[0]
}

const refused = async (given: Request, verdict: string, bound_to = "") => {
  const before = await stored()
  assert.deepEqual(await asked(given), { verdict, bound_to })
  assert.deepEqual(await stored(), before)
}

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
    assert.deepEqual(await ask(7), { verdict: "USER_OPERATION_NONCE_RESERVED", bound_to: "" })
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
    await bench.rival.rows(CLAIM, [JSON.stringify(claim)])
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
