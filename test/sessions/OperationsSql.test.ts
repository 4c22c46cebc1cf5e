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
})
