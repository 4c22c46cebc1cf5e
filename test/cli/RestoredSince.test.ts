/** From when on `doctor --restored` compares a database on which the service went on. */
import { afterAll, afterEach, assert, beforeEach, it } from "vitest"
import { restoredChecks } from "../../src/cli/RestoredChecks.ts"
import { rpcAt } from "../../src/cli/Rpc.ts"
import { hex } from "../support/FakeNode.ts"
import { instantChain, rpcServer } from "../support/InstantChain.ts"
import { LedgerSession } from "../support/Ledger.ts"
import { close, listen } from "../support/Listening.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import type { FreshDatabase } from "../support/Postgres.ts"
import { sqlOn } from "../support/Sql.ts"

const WALLET = `0x${"a1".repeat(20)}`
const HOUR = 3_600
const LOST = `failed lost: nonce 7 of ${WALLET}`

const now = Math.floor(Date.now() / 1000)
const [backupAt, lostAt] = [now - 2 * HOUR, now - HOUR]

const sent = {
  ...{ hash: `0x${"c3".repeat(32)}`, from: WALLET, to: WALLET },
  ...{ nonce: "0x7", value: "0x0", input: "0x01" }
}

let isSilent = false

/** A block each second, of which one has the wallet's transaction. */
const chain = instantChain(31_337, "small", {
  eth_getBlockByNumber: tag => {
    if (isSilent) return null
    const number = String(tag).startsWith("0x") ? Number(tag) : now
    const at = { number: hex(number), timestamp: hex(number) }
    return { ...at, transactions: number === lostAt ? [sent] : [] }
  },
  eth_getLogs: () => []
})
const server = rpcServer(async questions => questions.map(chain.answer))
const url = `http://127.0.0.1:${await listen(server)}`

let database: FreshDatabase

beforeEach(async () => {
  isSilent = false
  database = await migratedDatabase()
})

afterEach(() => database.drop())

afterAll(() => close(server))

const planAt = async (seconds: number) => {
  const ledger = await LedgerSession.open(database.url)
  const account = await ledger.enroll(`0x${String(seconds).padStart(40, "0")}`)
  await ledger.client.query(
    `INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at)
      VALUES (gen_random_uuid(), $1, 'owner', 'contract_calls', $2, '{"calls": []}', '0x', $3, $3)`,
    [account, WALLET, seconds * 1000]
  )
  await ledger.client.end()
}

/** The service goes on, later than the mark. */
const served = () => planAt(now + HOUR)

const noticed = () => sqlOn(database.url, "UPDATE history SET behind_since = unix_millis()")

const look = async (marks = false, since?: number) => {
  const asked = { database: database.url, nodes: [rpcAt(url)], since, marks, keepsGrants: false }
  return restoredChecks(asked)
}

const told = (checks: ReadonlyArray<{ readonly name: string; readonly verdict: string }>) =>
  checks.map(({ name, verdict }) => `${verdict} ${name}`)

const UNSAID = ["failed since", "degraded chain 31337"]

it("is what is stored last, where nothing is said", async () => {
  await planAt(backupAt)
  assert.deepStrictEqual(told(await look(true)), ["ok mark", "degraded since", LOST, "ok chain 31337"])
})

it("is as its mark keeps it, whatever is stored since, and the mark may be an earlier restore's", async () => {
  await planAt(backupAt)
  await look(true)
  await served()
  const found = await look()
  assert.deepStrictEqual(told(found), ["degraded mark", "ok since", LOST, "ok chain 31337"])
  assert.include(found[0]?.detail, "if it was restored again, mark it: --mark")
})

it("is what was said when it was marked", async () => {
  await planAt(now)
  await look(true, backupAt * 1000)
  assert.deepStrictEqual(told(await look()), ["ok mark", "ok since", LOST, "ok chain 31337"])
})

it("is to be said where a process noticed that it is behind, marked then or not", async () => {
  await planAt(now)
  await noticed()
  for (const marks of [false, true]) {
    const [, ...found] = await look(marks)
    assert.deepStrictEqual(told(found), UNSAID)
    assert.include(found[0]?.detail, "give --since")
    assert.notInclude(JSON.stringify(found), "lost")
  }
  assert.deepStrictEqual(told((await look()).slice(1)), UNSAID)
  assert.include(told(await look(false, backupAt * 1000)), LOST)
})

it("is to be said of a database that has nothing", async () => {
  assert.deepStrictEqual(told(await look(true)), ["ok mark", ...UNSAID])
})

it("is of no use with a node that does not give its blocks", async () => {
  await planAt(backupAt)
  await look(true)
  isSilent = true
  assert.deepStrictEqual(told(await look()), ["ok mark", "ok since", "failed blocks", "degraded chain 31337"])
})
