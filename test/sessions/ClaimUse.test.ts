/** The claim of an operation that a session's key signed, and of one of a plan that enables or revokes a session, over a clock that stands. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { ClaimBench } from "../support/ClaimBench.ts"
import { MILLIS, NOW, type Request } from "../support/ClaimSession.ts"
import { BINDING, operationRows, WALLET } from "../useroperations/support/OperationRows.ts"

const KEY = `0x${"5e".repeat(20)}`

let bench: ClaimBench
let rows: ReturnType<typeof operationRows>
let grant = ""
let session = ""
let operation = ""
let uses = 0

beforeAll(async () => {
  bench = await ClaimBench.open()
  rows = operationRows(bench)
})
afterAll(() => bench.close())

const enabled = async (over: Request = {}): Promise<string> => {
  const id = randomUUID()
  uses += 1
  const row = {
    id,
    account: bench.account,
    principal: `bot:${grant}`,
    grant_id: grant,
    binding: BINDING,
    chain_id: 1,
    wallet: WALLET,
    session_key: KEY,
    generation: uses,
    nonce: `0x${uses}`,
    permission_id: `0x${uses}`,
    compiled_hash: "0xc",
    valid_until: NOW + 600_000,
    terms: {},
    created_at: 1,
    updated_at: 1,
    revision: 0,
    observation: { status: "enabled" },
    observed_at: MILLIS - 60_000,
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

/** Of the session's key and of this sequence. */
const signedUse = (over: Request = {}, of = session) =>
  rows.insert({
    principal: `bot:${grant}`,
    nonce: String((9n << 64n) + 3n),
    terms: { signing: { session: { id: of } } },
    ...over
  })

beforeEach(async () => {
  await rows.begin()
  grant = await bench.ledger.grant(bench.account, ["read", "plan", "relay"], {
    bot_address: KEY,
    expires_at: NOW + 600_000
  })
  bench.plan = await bench.session.plan(bench.account, `bot:${grant}`)
  session = await enabled()
  operation = await signedUse()
})

const ofBot = (over: Request = {}) =>
  rows.request(operation, { principal: `bot:${grant}`, grant_id: grant, ...over })

const claimed = async (given: Request) =>
  assert.deepEqual(await rows.asked(given), { verdict: "CLAIMED", bound_to: null })

const changed = (change: string) => bench.sql(`UPDATE sessions SET ${change}`)

/** Beside the session's own. */
const lifecyclePlan = async (kind: "activation" | "revocation", over: Request = {}) => {
  const plan = await bench.session.plan(bench.account, `bot:${grant}`)
  const row = {
    plan,
    session,
    kind,
    owner_request_digest: "0xd",
    issued_at: 1,
    expires_at: 2,
    superseded_at: null,
    ...over
  }
  await bench.sql("INSERT INTO session_plans SELECT * FROM json_populate_record(NULL::session_plans, $1)", [
    JSON.stringify(row)
  ])
  return plan
}

describe("a session's operation", () => {
  it.each([
    ["it was not seen for long", "observed_at = 1"],
    ["it is over", `valid_until = ${NOW}`],
    ["it is revoked for good", "released_at = 1"]
  ])("is followed where its chain has it, though of its session %s", async (_, change) => {
    await changed(change)
    await claimed(ofBot({ lease_millis: 0 }))
  })

  it("is claimed on what was seen a minute ago, and not on what was seen before", async () => {
    await changed(`observed_at = ${MILLIS - 60_001}`)
    await rows.refused(ofBot(), "SESSION_OBSERVATION_STALE")
    await changed(`observed_at = ${MILLIS - 60_000}`)
    await claimed(ofBot())
  })

  it("is claimed to the last second of the session", async () => {
    await changed(`valid_until = ${NOW}`)
    await rows.refused(ofBot(), "SESSION_NOT_ACTIVE", "expired")
    await changed(`valid_until = ${NOW + 1}`)
    await claimed(ofBot())
  })

  it.each([
    [
      "was never looked at",
      "observation = NULL, observed_at = NULL, live = false",
      "SESSION_OBSERVATION_STALE",
      ""
    ],
    [
      "is enabled no more",
      `observation = '{"status":"none"}', live = false`,
      "SESSION_NOT_ACTIVE",
      "prepared"
    ],
    [
      "was seen revoked",
      `observation = '{"status":"revoked"}', live = false`,
      "SESSION_NOT_ACTIVE",
      "revoked"
    ],
    ["was seen to be another's", "live = false", "SESSION_NOT_ACTIVE", "stale"],
    ["is invalid", `invalidation = '{"reason":"reorg"}'`, "SESSION_NOT_ACTIVE", "stale"],
    ["is retired", "released_at = 1", "SESSION_NOT_ACTIVE", "revoked"]
  ])("is refused where the session %s", async (_, change, verdict, state) => {
    await changed(change)
    await rows.refused(ofBot(), verdict, state)
  })

  it.each([
    ["revoked", `revoked_at = ${NOW}`],
    ["over", `expires_at = ${NOW}`],
    ["over before the session", `expires_at = ${NOW + 599_999}`],
    ["for less", "scopes = ARRAY['read', 'plan']"],
    ["another bot's", `bot_address = '${WALLET}'`]
  ])("is refused of a grant that is %s, whoever sends it", async (_, change) => {
    const owners = await bench.session.plan(bench.account, String(rows.request("").principal))
    const byOwner = await rows.insert({
      plan: owners,
      nonce: String((9n << 64n) + 4n),
      terms: { signing: { session: { id: session } } }
    })
    await bench.sql(`UPDATE bot_grants SET ${change}`)
    await rows.refused(rows.request(byOwner), "SESSION_NOT_ACTIVE", "stale")
  })

  it("is refused once the plan that revokes the session is admitted, and not for one that was replaced", async () => {
    await lifecyclePlan("activation")
    await lifecyclePlan("revocation", { superseded_at: 1 })
    const plan = await lifecyclePlan("revocation")
    await rows.refused(ofBot(), "SESSION_NOT_ACTIVE", "revoking")
    await bench.sql("DELETE FROM session_plans WHERE plan = $1", [plan])
    await claimed(ofBot())
  })

  it("is alone on its way: none of the same nonce, and none while a later one may still be executed", async () => {
    await claimed(ofBot())
    const same = await signedUse({ steps: [1] })
    await rows.refused(ofBot({ operation: same }), "USER_OPERATION_NONCE_RESERVED")
    const before = await signedUse({ steps: [1], nonce: String((9n << 64n) + 2n) })
    await rows.refused(ofBot({ operation: before }), "USER_OPERATION_NONCE_RESERVED")
    await bench.sql("UPDATE user_operations SET dead_block = 1, dead_hash = '0xd' WHERE claimed")
    await claimed(ofBot({ operation: before }))
  })

  it("is not kept by one of the owners' nonces, or of another validator's", async () => {
    await claimed(rows.request(await rows.insert({ plan: await ownersPlan(), nonce: 7 })))
    const other = { plan: await ownersPlan(), nonce: String((10n << 64n) + 5n) }
    await claimed(rows.request(await rows.insert(other)))
    await claimed(ofBot())
  })
})

const ownersPlan = () => bench.session.plan(bench.account, String(rows.request("").principal))

describe("a plan that enables or revokes a session", () => {
  const owners = async (kind: "activation" | "revocation", over: Request = {}) => {
    const plan = await lifecyclePlan(kind, over)
    await bench.sql("UPDATE plans SET principal = $2 WHERE id = $1", [plan, rows.request("").principal])
    return rows.request(await rows.insert({ plan }))
  }
  const admitted = () => bench.sql("INSERT INTO wallet_generations VALUES (1, $1, $2, 1)", [WALLET, session])

  it("is executed while it is the admitted one", async () => {
    const given = await owners("activation")
    await rows.refused(given, "SESSION_PLAN_NOT_ADMITTED")
    await admitted()
    await claimed(given)
  })

  it("enables none whose bot has its grant no more, and revokes it all the same", async () => {
    await admitted()
    const given = await owners("activation")
    await bench.sql("UPDATE bot_grants SET revoked_at = 1")
    await rows.refused(given, "SESSION_PLAN_NOT_ADMITTED")
    await claimed(await owners("revocation"))
  })

  it("is followed where its chain has it, though another one replaced it", async () => {
    const given = await owners("revocation", { superseded_at: 1 })
    await claimed({ ...given, lease_millis: 0 })
  })

  it("is not, once another one replaced it", async () => {
    await admitted()
    await rows.refused(await owners("activation", { superseded_at: 1 }), "SESSION_PLAN_NOT_ADMITTED")
    await rows.refused(await owners("revocation", { superseded_at: 1 }), "SESSION_PLAN_NOT_ADMITTED")
    await claimed(await owners("revocation"))
  })
})
