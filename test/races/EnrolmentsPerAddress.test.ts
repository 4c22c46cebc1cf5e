/** How many accounts one client address may enrol on a day, exactly, over two replicas. */
import { createHash } from "node:crypto"
import { afterAll, assert, beforeEach, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"

const BOUND = 10
const DAY = 86_400
const NOW = Math.floor(Date.now() / 1000)

const settings = {
  quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 },
  enrolmentsPerAddress: BOUND,
  trustedProxies: ["127.0.0.1"]
}

const first = await startService({ settings })
const second = await startService({
  databaseUrl: first.databaseUrl,
  settings: { ...settings, audience: first.audience }
})

afterAll(async () => {
  await second.stop()
  await first.stop()
})

beforeEach(() => stopClock(first.databaseUrl, NOW))

const enrol = (index: number, owner: Party, address: string, body: unknown = {}) =>
  enroll(index % 2 === 0 ? first : second, owner, {
    body,
    issuedAt: NOW,
    expiresAt: NOW + 60,
    headers: { "X-Forwarded-For": address }
  })

const codeOf = async (answer: Response) => (answer.ok ? "OK" : (await problemIn(answer)).code)

const raced = async (count: number, address: string) => {
  const owners = Array.from({ length: count }, () => newOwner())
  const codes = await Promise.all(
    owners.map(async (owner, index) => codeOf(await enrol(index, owner, address)))
  )
  const enrolled = owners.filter((_, index) => codes[index] === "OK")
  return { enrolled, refused: codes.filter(code => code === "RATE_LIMITED").length }
}

const accounts = async () => (await sqlOn(first.databaseUrl, "SELECT count(*) AS n FROM accounts"))[0]?.n

it("is exact when many come at once, and another address has its own", async () => {
  const before = Number(await accounts())
  const { enrolled, refused } = await raced(3 * BOUND, "192.0.2.1")
  assert.deepStrictEqual([enrolled.length, refused], [BOUND, 2 * BOUND])
  assert.strictEqual(Number(await accounts()), before + BOUND)
  assert.strictEqual((await raced(1, "192.0.2.2")).enrolled.length, 1)
})

it("counts new accounts alone, and none that was refused", async () => {
  const address = "192.0.2.3"
  const { enrolled } = await raced(BOUND - 1, address)
  for (const owner of enrolled) assert.strictEqual((await enrol(0, owner, address)).status, 200)
  for (let index = 0; index < BOUND; index++)
    assert.strictEqual(await codeOf(await enrol(index, newOwner(), address, { a: 1 })), "INVALID_INPUT")
  assert.strictEqual(await codeOf(await enrol(1, newOwner(), address)), "OK")
  const late = newOwner()
  const refused = await enrol(0, late, address)
  assert.strictEqual(refused.headers.get("retry-after"), String(DAY - (NOW % DAY)))
  const { code, context } = await problemIn(refused)
  assert.strictEqual(code, "RATE_LIMITED")
  assert.deepStrictEqual(context, { limit: BOUND, per: "client address and day" })
  const shown = await signedFetch(first, late, "GET", "/api/v1/accounts/me", {
    issuedAt: NOW,
    expiresAt: NOW + 60
  })
  assert.strictEqual(await codeOf(shown), "ACCOUNT_NOT_FOUND")
  for (const owner of enrolled) assert.strictEqual((await enrol(1, owner, address)).status, 200)
})

it("is free again on the next day", async () => {
  const address = "192.0.2.4"
  await raced(BOUND, address)
  assert.strictEqual(await codeOf(await enrol(0, newOwner(), address)), "RATE_LIMITED")
  await sqlOn(first.databaseUrl, "UPDATE address_enrolments SET day = day - 1")
  assert.strictEqual(await codeOf(await enrol(0, newOwner(), address)), "OK")
  const rows = await sqlOn(
    first.databaseUrl,
    "SELECT address_hash, count FROM address_enrolments WHERE day = unix_seconds() / 86400"
  )
  const hash = createHash("sha256").update(address).digest("base64url")
  assert.deepStrictEqual(rows, [{ address_hash: hash, count: 1 }])
})

it("is bounded for the wider networks of IPv6 too", async () => {
  for (let index = 0; index < 4; index++) await raced(BOUND, `2001:db8:0:10${index}::1`)
  const network = { limit: 4 * BOUND, per: "client network and day" }
  const refused = await problemIn(await enrol(0, newOwner(), "2001:db8:0:1ff::1"))
  assert.deepInclude(refused, { code: "RATE_LIMITED", context: network })
  assert.strictEqual(await codeOf(await enrol(0, newOwner(), "2001:db8:0:200::1")), "OK")
  const widest = createHash("sha256").update("2001:db8:0:0::/48").digest("base64url")
  const most = 16 * BOUND
  await sqlOn(first.databaseUrl, "UPDATE address_enrolments SET count = $1 WHERE address_hash = $2", [
    most,
    widest
  ])
  const spent = await problemIn(await enrol(0, newOwner(), "2001:db8:0:300::1"))
  assert.deepStrictEqual(spent.context, { limit: most, per: "client network and day" })
  assert.strictEqual(await codeOf(await enrol(0, newOwner(), "2001:db8:1:300::1")), "OK")
})
