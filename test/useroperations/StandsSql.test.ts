/** Whether a claim that nobody was told of stands and may leave still, on rows put there by hand, over a clock that stands. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { ClaimBench } from "../support/ClaimBench.ts"
import { MILLIS, NOW, type Request } from "../support/ClaimSession.ts"
import { operationRows } from "./support/OperationRows.ts"

const STANDS = "SELECT sending_stands(json_populate_record(NULL::send_request, $1::json)) AS stands"

let bench: ClaimBench
let rows: ReturnType<typeof operationRows>

beforeAll(async () => {
  bench = await ClaimBench.open()
  rows = operationRows(bench)
})
afterAll(() => bench.close())
beforeEach(() => rows.begin())

const claimed = async (over: Request = {}, of: Request = {}): Promise<Request> => {
  const given = rows.request(await rows.insert(over), of)
  assert.equal((await rows.asked(given)).verdict, "CLAIMED")
  return given
}

const stands = async (given: Request) => (await bench.sql(STANDS, [JSON.stringify(given)]))[0]?.stands

const leaseIs = async (millis: number) =>
  assert.deepEqual(await bench.sql("SELECT expires_at FROM operation_sends"), [{ expires_at: millis }])

describe("a claim of which nobody was told", () => {
  it("stands for its own token, and is renewed: what is written is confirmed where the claim is", async () => {
    const given = await claimed()
    await bench.sql("UPDATE operation_sends SET expires_at = 1")
    assert.isFalse(await stands({ ...given, token: randomUUID() }))
    await leaseIs(1)
    assert.isTrue(await stands(given))
    await leaseIs(MILLIS + 60_000)
  })

  it("stands no more once it is settled, and not at all where it was not made", async () => {
    const given = await claimed()
    await bench.sql("SELECT settle_operation($1::uuid, $2::uuid, 'unknown')", [given.operation, given.token])
    assert.isFalse(await stands(given))
    assert.isFalse(await stands(rows.request(await rows.insert({ nonce: 8 }))))
    assert.isFalse(await stands(rows.request(randomUUID())))
  })

  it.each([
    ["its wallet was unlinked", "UPDATE bindings SET unlinked_at = $1", MILLIS],
    ["its wallet was bound in another state", "UPDATE bindings SET state_hash = $1", "0x58"],
    ["the operation's time is over", "UPDATE user_operations SET expires_at = $1", MILLIS],
    ["the signatures' time is over", "UPDATE user_operations SET valid_until = $1", NOW],
    ["the plan's time is over", "UPDATE plans SET expires_at = $1", MILLIS]
  ])("does not leave once %s", async (_, change, value) => {
    const given = await claimed()
    await bench.sql("UPDATE operation_sends SET expires_at = 1")
    await bench.sql(change, [value])
    assert.isFalse(await stands(given))
    await leaseIs(1)
  })

  it("does not leave once its bot was revoked", async () => {
    const grant = await bench.ledger.grant(bench.account, ["read", "plan", "relay"])
    const principal = `bot:${grant}`
    const plan = await bench.session.plan(bench.account, principal)
    const given = await claimed({ principal, plan }, { principal, grant_id: grant })
    assert.isTrue(await stands(given))
    await bench.sql("UPDATE bot_grants SET revoked_at = $1 WHERE id = $2", [NOW, grant])
    assert.isFalse(await stands(given))
  })
})
