/** How sessions are stored, recorded and released, on rows put there by hand, over a clock that stands. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { ClaimBench } from "../support/ClaimBench.ts"
import { MILLIS, NOW } from "../support/ClaimSession.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { accountId } from "../support/Ledger.ts"

type Row = Readonly<Record<string, unknown>>

const WALLET = `0x${"5a".repeat(20)}`
const STATE = `0x${"57".repeat(32)}`
const BINDING = `0x${"b1".repeat(32)}`
const KEY = `0x${"4e".repeat(20)}`
const GRANT = "22222222-2222-4222-8222-222222222222"
const WEEK = 604_800

let bench: ClaimBench

beforeAll(async () => {
  bench = await ClaimBench.open()
})
afterAll(() => bench.close())

const word = (): string => `0x${randomUUID().replaceAll("-", "").repeat(2)}`

const insertGrant = (over: Row = {}) =>
  bench.sql("INSERT INTO bot_grants SELECT * FROM json_populate_record(NULL::bot_grants, $1)", [
    JSON.stringify({
      id: GRANT,
      account: bench.account,
      bot_address: KEY,
      scopes: ["read", "plan", "relay"],
      label: "",
      created_at: NOW,
      expires_at: NOW + 2 * WEEK,
      revoked_at: null,
      ...over
    })
  ])

beforeEach(async () => {
  await bench.begin()
  await bench.sql("TRUNCATE wallets CASCADE")
  await bench.sql("INSERT INTO wallets VALUES (1, $1)", [WALLET])
  await bench.sql(
    `INSERT INTO bindings (id, account, chain_id, address, manifest, state_hash, snapshot, digest, nonce, expires_at, created_at)
     VALUES ($1, $2, 1, $3, 'm', $4, '{}', '0xd', '0x1', 1, 1)`,
    [BINDING, bench.account, WALLET, STATE]
  )
  await insertGrant()
})

const asked = (over: Row = {}): Row => ({
  id: randomUUID(),
  principal: `owner:${accountId()}`,
  grant_id: GRANT,
  binding: BINDING,
  chain_id: 1,
  wallet: WALLET,
  session_key: KEY,
  generation: "1",
  nonce: word(),
  permission_id: word(),
  compiled_hash: word(),
  valid_until: NOW + WEEK,
  terms: {},
  ...over
})

interface Storing {
  readonly key?: string
  readonly identity?: string
  readonly granted?: string | null
  readonly state?: string
  readonly sessions?: number
  readonly keys?: number
}

const stored = async (row: Row, storing: Storing = {}) => {
  const { key = randomUUID(), identity = "i", granted = null, state = STATE } = storing
  const [answer] = await bench.sql(
    "SELECT verdict, session FROM store_session($1, $2::uuid, $3, $4, json_populate_record(NULL::sessions, $5::json), $6, $7, $8)",
    [
      ...[accountId(), granted, key, identity, JSON.stringify(row), state],
      ...[storing.sessions ?? 10, storing.keys ?? 10]
    ]
  )
  return answer
}

const verdictOf = async (row: Row, storing?: Storing) => (await stored(row, storing))?.verdict

describe("storing a session", () => {
  it("gives its key that session for good", async () => {
    const first = asked()
    assert.deepEqual(await stored(first, { key: "k" }), { verdict: "STORED", session: first.id })
    assert.deepEqual(await stored(asked({ generation: "2" }), { key: "k" }), {
      verdict: "TWIN",
      session: first.id
    })
    assert.equal(await verdictOf(asked(), { key: "k", identity: "j" }), "IDEMPOTENCY_CONFLICT")
  })

  it("reserves nothing but its names", async () => {
    await stored(asked())
    assert.deepEqual(await bench.sql("SELECT session FROM wallet_generations"), [])
    assert.deepEqual(
      await bench.sql("SELECT live, was_enabled, released_at, sweep_at, revision FROM sessions"),
      [{ live: false, was_enabled: false, released_at: null, sweep_at: null, revision: 0 }]
    )
  })

  it("gives no name a second time, whatever became of the first", async () => {
    const first = asked()
    await stored(first)
    await bench.sql("UPDATE sessions SET released_at = 1, archived_at = 1")
    const taken: ReadonlyArray<Row> = [
      { permission_id: first.permission_id, generation: "2" },
      { nonce: first.nonce, generation: "3" },
      {}
    ]
    for (const over of taken) assert.equal(await verdictOf(asked(over)), "USED_BEFORE")
    const other = "33333333-3333-4333-8333-333333333333"
    await insertGrant({ id: other, bot_address: `0x${"4f".repeat(20)}` })
    const key = { session_key: `0x${"4f".repeat(20)}`, grant_id: other }
    assert.equal(await verdictOf(asked(key)), "STORED")
    assert.equal(await verdictOf(asked({ generation: "4" })), "STORED")
  })

  it("is refused upon a binding that ended or is of another state", async () => {
    assert.equal(await verdictOf(asked(), { state: word() }), "BINDING_CHANGED")
    await bench.sql("UPDATE bindings SET unlinked_at = 1")
    assert.equal(await verdictOf(asked()), "BINDING_CHANGED")
  })

  it.each<readonly [string, Row]>([
    ["revoked", { revoked_at: NOW }],
    ["over", { expires_at: NOW }],
    ["over a second too early", { expires_at: NOW + WEEK - 1 }],
    ["too small", { scopes: ["read", "plan"] }],
    ["another bot's", { bot_address: `0x${"4f".repeat(20)}` }]
  ])("is refused of a grant that is %s", async (_, over) => {
    await bench.sql("DELETE FROM bot_grants")
    await insertGrant(over)
    assert.equal(await verdictOf(asked()), "GRANT_UNSUITABLE")
  })

  it("is refused to a bot whose own grant ended, and beyond what an account keeps", async () => {
    assert.equal(await verdictOf(asked(), { granted: randomUUID() }), "FORBIDDEN")
    assert.equal(await verdictOf(asked(), { granted: GRANT }), "STORED")
    const second = asked({ generation: "2" })
    assert.equal(await verdictOf(second, { sessions: 1 }), "SESSIONS_LIMIT")
    assert.equal(await verdictOf(second, { keys: 1 }), "KEYS_LIMIT")
    await bench.sql("UPDATE sessions SET archived_at = 1")
    assert.equal(await verdictOf(second, { sessions: 1 }), "STORED")
  })
})

const recorded = async (id: unknown, revision: number, over: Row = {}) => {
  const { status = "enabled", live = true, doubt = null, retired = false } = over
  const seen = status === null ? null : JSON.stringify({ status })
  const [row] = await bench.sql(
    "SELECT record_session($1::uuid, $2, $3::json, $4, $5, $6::json, $7, 30000) AS recorded",
    [id, revision, seen, seen === null ? null : MILLIS, live, doubt, retired]
  )
  return row?.recorded
}

const session = async (id: unknown) => (await bench.sql("SELECT * FROM sessions WHERE id = $1", [id]))[0]

const admitted = async () =>
  (await bench.sql("SELECT session FROM wallet_generations")).map(row => row.session)

describe("recording what was seen of a session", () => {
  let id: unknown

  beforeEach(async () => {
    const row = asked()
    await stored(row)
    id = row.id
  })

  it("is done upon what was judged, and upon nothing else", async () => {
    assert.isFalse(await recorded(id, 1))
    assert.isTrue(await recorded(id, 0))
    assert.isFalse(await recorded(id, 0))
    const row = await session(id)
    assert.deepInclude(row, { revision: 1, live: true, was_enabled: true, observed_at: MILLIS })
    assert.equal(row?.sweep_at, MILLIS + 30_000)
  })

  it("admits what is enabled, unless another is admitted", async () => {
    await recorded(id, 0)
    assert.deepEqual(await admitted(), [id])
    const other = asked({ generation: "2" })
    await stored(other)
    await recorded(other.id, 0)
    assert.deepEqual(await admitted(), [id])
  })

  it("admits and watches nothing that is not enabled", async () => {
    await recorded(id, 0, { status: "none", live: false })
    assert.deepEqual(await admitted(), [])
    assert.deepInclude(await session(id), { was_enabled: false, sweep_at: null })
  })

  it("remembers that it was enabled", async () => {
    await recorded(id, 0)
    await recorded(id, 1, { status: "none", live: false, doubt: '{"reason": "reorg"}' })
    assert.deepInclude(await session(id), { was_enabled: true, live: false })
  })

  it("releases what is retired, and watches it no more", async () => {
    await recorded(id, 0)
    await recorded(id, 1, { status: "revoked", live: false })
    assert.deepEqual(await admitted(), [id])
    await recorded(id, 2, { status: "revoked", live: false, retired: true })
    assert.deepEqual(await admitted(), [])
    assert.deepInclude(await session(id), { released_at: MILLIS, sweep_at: null })
  })

  it("admits again what a final block took back", async () => {
    await recorded(id, 0)
    await recorded(id, 1, { status: "revoked", live: false, retired: true })
    await recorded(id, 2, { live: false, doubt: '{"reason": "reorg"}' })
    assert.deepEqual(await admitted(), [id])
    assert.deepInclude(await session(id), { released_at: null, sweep_at: MILLIS + 30_000 })
  })
})

describe("releasing a generation that was never enabled", () => {
  let id: unknown
  const plan = () => bench.plan

  beforeEach(async () => {
    const row = asked()
    await stored(row)
    id = row.id
    await bench.sql("INSERT INTO wallet_generations VALUES (1, $1, $2, $3)", [WALLET, id, MILLIS])
    await bench.sql("UPDATE plans SET expires_at = $2 WHERE id = $1", [plan(), MILLIS + 300_000])
    await bench.sql(
      `INSERT INTO session_plans SELECT id, $1, 'activation', '0x', $2, expires_at, NULL FROM plans WHERE id = $3`,
      [id, MILLIS, plan()]
    )
    await recorded(id, 0, { status: "none", live: false })
  })

  const released = async () =>
    (await bench.sql("SELECT release_generations($1::uuid[]) AS released", [[id]]))[0]?.released

  const passMinutes = (minutes: number) => stopClock(bench.database.url, NOW + 60 * minutes)

  /** What is seen is what was seen before. */
  const looked = (millis: number) =>
    bench.sql("UPDATE sessions SET observed_at = $2 WHERE id = $1", [id, MILLIS + millis])

  it("waits for a minute after its last plan ran out, and for a look after that", async () => {
    assert.equal(await released(), 0)
    await looked(300_000)
    await stopClock(bench.database.url, NOW + 359)
    assert.equal(await released(), 0)
    await looked(299_999)
    await passMinutes(6)
    assert.equal(await released(), 0)
    await looked(300_000)
    assert.equal(await released(), 1)
    assert.deepEqual(await admitted(), [])
    assert.isNotNull((await session(id))?.released_at)
    assert.equal(await released(), 0)
  })

  it("waits for what left, until no block can execute it", async () => {
    await bench.sql(
      "INSERT INTO transport_bindings (plan, step, transport, binding_id, bound_at) VALUES ($1, 0, 'eip4337-user-operation', $2, 1)",
      [plan(), randomUUID()]
    )
    await passMinutes(10)
    await looked(300_000)
    assert.equal(await released(), 0)
    await bench.sql(
      `UPDATE plan_steps SET observed = 'reverted', receipt = '{"finality": "finalized"}' WHERE plan = $1 AND step = 0`,
      [plan()]
    )
    assert.equal(await released(), 1)
  })

  it("waits for nothing that was seen enabled, or that a reorganisation took back", async () => {
    await passMinutes(10)
    await looked(300_000)
    await bench.sql(`UPDATE sessions SET invalidation = '{"reason": "reorg"}'`)
    assert.equal(await released(), 0)
    await bench.sql(`UPDATE sessions SET invalidation = NULL, observation = '{"status": "enabled"}'`)
    assert.equal(await released(), 0)
    await bench.sql(`UPDATE sessions SET observation = NULL, observed_at = NULL`)
    assert.equal(await released(), 0)
  })
})
