/** What a session's operations keep and end with, on rows put there by hand, over a clock that stands. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { ClaimBench } from "../support/ClaimBench.ts"
import { MILLIS, NOW, type Request } from "../support/ClaimSession.ts"
import { accountId } from "../support/Ledger.ts"
import { BINDING, operationRows, WALLET } from "../useroperations/support/OperationRows.ts"

const WEEK = 604_800

let bench: ClaimBench
let rows: ReturnType<typeof operationRows>
let session = ""

beforeAll(async () => {
  bench = await ClaimBench.open()
  rows = operationRows(bench)
})
afterAll(() => bench.close())

/** One that lives, and was seen a moment ago. */
const insertSession = async (over: Request = {}): Promise<string> => {
  const id = randomUUID()
  const key = `0x${"4e".repeat(20)}`
  const grant = await bench.relayGrant({ bot_address: key, expires_at: NOW + 2 * WEEK })
  const row = {
    id,
    account: bench.account,
    principal: `owner:${accountId()}`,
    grant_id: grant,
    binding: BINDING,
    chain_id: 1,
    wallet: WALLET,
    session_key: key,
    generation: 1,
    nonce: "0x1",
    permission_id: "0x2",
    compiled_hash: "0x3",
    valid_until: NOW + WEEK,
    terms: {},
    created_at: MILLIS,
    updated_at: MILLIS,
    revision: 0,
    observation: { status: "enabled" },
    observed_at: MILLIS,
    live: true,
    was_enabled: true,
    sweep_attempts: 0,
    ...over
  }
  await bench.sql("INSERT INTO sessions SELECT * FROM json_populate_record(NULL::sessions, $1)", [
    JSON.stringify(row)
  ])
  return id
}

beforeEach(async () => {
  await rows.begin()
  session = await insertSession()
})

const insertSent = (over: Request = {}) =>
  rows.insert({ claimed: true, terms: { signing: { session: { id: session } } }, ...over })

const DEAD = { dead_block: 1, dead_hash: "0xd" }

describe("a session's operation", () => {
  const used = async (operation: string): Promise<string> => {
    try {
      await bench.sql("SELECT check_session_use(o, $1, $2, $3) FROM user_operations o WHERE o.id = $4", [
        ...[session, bench.account, MILLIS],
        operation
      ])
      return "USED"
    } catch (refusal) {
      return refusal instanceof Error ? refusal.message : String(refusal)
    }
  }

  it("is not sent before a later one that may still be executed, also where that lives again", async () => {
    const operation = await rows.insert()
    assert.equal(await used(operation), "USED")
    const later = await insertSent({ nonce: 8, steps: [1] })
    assert.equal(await used(operation), "USER_OPERATION_NONCE_RESERVED")
    await bench.sql("UPDATE user_operations SET dead_block = 1, dead_hash = '0xd' WHERE id = $1", [later])
    assert.equal(await used(operation), "USED")
    await bench.sql("UPDATE user_operations SET revived = true WHERE id = $1", [later])
    assert.equal(await used(operation), "USER_OPERATION_NONCE_RESERVED")
  })

  it("ends with its session's revocation where it may still be executed, also where it lives again", async () => {
    const of = (nonce: number, over: Request) => insertSent({ nonce, valid_until: NOW + WEEK, ...over })
    const [open, dead, revived] = [
      await of(1, {}),
      await of(2, DEAD),
      await of(3, { ...DEAD, revived: true })
    ]
    await bench.sql("UPDATE plans SET sweep_at = unix_millis() + 600000, sweep_attempts = 9")
    await bench.sql("SELECT end_session_operations($1, $2)", [session, NOW])
    const due = await bench.sql(
      "SELECT DISTINCT p.sweep_at <= unix_millis() AS due, p.sweep_attempts FROM plans p JOIN user_operations o ON o.plan = p.id WHERE o.id = ANY ($1)",
      [[open, revived]]
    )
    assert.deepEqual(due, [{ due: true, sweep_attempts: 0 }])
    const found = await bench.sql("SELECT id, valid_until, revision FROM user_operations ORDER BY nonce")
    assert.deepEqual(found, [
      { id: open, valid_until: NOW, revision: 1 },
      { id: dead, valid_until: NOW + WEEK, revision: 0 },
      { id: revived, valid_until: NOW, revision: 1 }
    ])
  })
})

it("may be executed until its policy's end again, once the block of its session's revocation is gone", async () => {
  const validUntil = NOW + WEEK
  const operation = await insertSent({
    valid_until: validUntil,
    ...DEAD,
    revived: true,
    terms: { signing: { validUntil, session: { id: session } } }
  })
  const ends = async () =>
    (await bench.sql("SELECT valid_until FROM user_operations WHERE id = $1", [operation]))[0]?.valid_until
  const recorded = async (revision: number, status: string, isRetired: boolean) => {
    const seen = { status, shown: { evidence: { timestamp: String(NOW - 100) } } }
    await bench.sql("SELECT record_session($1, $2, $3::json, $4, $5, NULL, $6, 30000)", [
      ...[session, revision, JSON.stringify(seen), MILLIS, !isRetired, isRetired]
    ])
  }
  await recorded(0, "revoked", true)
  assert.equal(await ends(), NOW - 100)
  await recorded(1, "enabled", false)
  assert.equal(await ends(), validUntil)
})

describe("a session whose activation left", () => {
  const released = async () =>
    (await bench.sql("SELECT release_generations($1::uuid[]) AS released", [[session]]))[0]?.released

  const observedAs = (reason: string) =>
    bench.sql("UPDATE plan_steps SET observed = 'unknown', semantic = $2 WHERE plan = $1 AND step = 0", [
      bench.plan,
      JSON.stringify({ status: "unknown", reason })
    ])

  beforeEach(async () => {
    await bench.sql(
      `UPDATE sessions SET live = false, was_enabled = false, observation = '{"status": "none"}'`
    )
    await bench.sql("INSERT INTO wallet_generations VALUES (1, $1, $2, $3)", [WALLET, session, MILLIS])
    await bench.sql("UPDATE plans SET expires_at = $1", [MILLIS - 60_000])
    await bench.sql(
      "INSERT INTO session_plans SELECT id, $1, 'activation', '0x', 1, expires_at, NULL FROM plans WHERE id = $2",
      [session, bench.plan]
    )
    await bench.sql(
      "INSERT INTO transport_bindings (plan, step, transport, binding_id, bound_at) VALUES ($1, 0, 'eip4337-user-operation', $2, 1)",
      [bench.plan, await rows.insert({ claimed: true })]
    )
  })

  it("gives its wallet free once another operation used the nonce of that for good", async () => {
    assert.equal(await released(), 0)
    await observedAs("STATE_UNAVAILABLE")
    assert.equal(await released(), 0)
    await observedAs("OPERATION_NONCE_CONSUMED")
    assert.equal(await released(), 1)
    assert.deepEqual(await bench.sql("SELECT session FROM wallet_generations"), [])
  })

  it.each([
    ["finalized", 1, 1],
    ["safe", 1_000, 0],
    ["latest", 1_000, 0],
    ["unknown", 255, 0],
    ["unknown", 256, 1]
  ])(
    "gives its wallet free once it failed for good: %s after %i blocks",
    async (finality, confirmations, free) => {
      await bench.sql(
        "UPDATE plan_steps SET observed = 'reverted', receipt = $2 WHERE plan = $1 AND step = 0",
        [bench.plan, JSON.stringify({ canonical: true, status: "reverted", finality, confirmations })]
      )
      assert.equal(await released(), free)
    }
  )
})
