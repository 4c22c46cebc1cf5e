import { afterAll, afterEach, assert, beforeEach, describe, it } from "vitest"
import { LIVE_NONCES } from "../../src/accounts/LedgerVerdict.ts"
import { REQUEST_WINDOW } from "../../src/values/TypedData.ts"
import { accountId, BOT, LedgerSession, nonce } from "../support/Ledger.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"

const NOW = 1000
const OTHER = `0x${"c3".repeat(20)}`

let account: number

const database = await migratedDatabase()
const ledger = await LedgerSession.open(database.url)
const other = await LedgerSession.open(database.url)

beforeEach(async () => {
  await ledger.client.query("TRUNCATE accounts CASCADE")
  await ledger.clock(NOW)
  account = await ledger.enroll()
})

afterEach(() => other.client.query("ROLLBACK"))

afterAll(async () => {
  await Promise.all([ledger.client.end(), other.client.end()])
  await database.drop()
})

const mine = { account: accountId() }

describe("who is admitted", () => {
  it("the owner without a grant, and no one else without one", async () => {
    const grant = await ledger.grant(account, ["read", "plan", "relay"])
    assert.deepStrictEqual(
      await ledger.verdicts([
        mine,
        { ...mine, ownerOnly: true },
        { ...mine, signer: BOT },
        { ...mine, signer: OTHER },
        { ...mine, grant },
        { account: accountId(OTHER), signer: OTHER }
      ]),
      ["OK", "OK", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ACCOUNT_NOT_FOUND"]
    )
    assert.strictEqual(await ledger.nonces(account), 2)
  })

  it("a bot by each of its scopes, never on an owner's route", async () => {
    const lists = [["read"], ["read", "plan"], ["read", "plan", "relay"]]
    const grants = await ledger.grants(account, lists)
    for (const [index, grant] of grants.entries()) {
      const asked = ["read", "plan", "relay"].map(scope => ({ ...mine, signer: BOT, grant, scope }))
      const expected = [0, 1, 2].map(at => (at <= index ? "OK" : "FORBIDDEN"))
      assert.deepStrictEqual(await ledger.verdicts(asked), expected)
      assert.deepStrictEqual(await ledger.verdicts(asked.map(each => ({ ...each, ownerOnly: true }))), [
        "FORBIDDEN",
        "FORBIDDEN",
        "FORBIDDEN"
      ])
    }
  })

  it("no expired, revoked, foreign or unknown grant, and no other key with a good one", async () => {
    const elsewhere = await ledger.enroll(OTHER)
    const good = await ledger.grant(account, ["read"])
    const expired = await ledger.grant(account, ["read"], { expires_at: NOW })
    const last = await ledger.grant(account, ["read"], { expires_at: NOW + 1 })
    const revoked = await ledger.grant(account, ["read"], { revoked_at: NOW })
    const foreign = await ledger.grant(elsewhere, ["read"])
    const bot = { ...mine, signer: BOT }
    assert.deepStrictEqual(
      await ledger.verdicts([
        { ...bot, grant: good },
        { ...bot, grant: expired },
        { ...bot, grant: last },
        { ...bot, grant: revoked },
        { ...bot, grant: foreign },
        { ...bot, grant: "00000000-0000-4000-8000-000000000000" },
        { ...mine, signer: OTHER, grant: good }
      ]),
      ["OK", "FORBIDDEN", "OK", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]
    )
  })

  it("nobody outside the signed window on the database's clock", async () => {
    const window = (issued: number, expires: number) => ({ ...mine, issued, expires })
    assert.deepStrictEqual(
      await ledger.verdicts([
        window(NOW - 60, NOW),
        window(NOW - 60, NOW - 1),
        window(NOW - 60, NOW + 1),
        window(NOW + 30, NOW + 60),
        window(NOW + 31, NOW + 60)
      ]),
      ["AUTH_EXPIRED", "AUTH_EXPIRED", "OK", "OK", "AUTH_EXPIRED"]
    )
    assert.strictEqual(REQUEST_WINDOW.futureAllowanceSeconds, 30)
    assert.strictEqual(await ledger.nonces(account), 2)
  })

  it("nobody whose window or grant ends while the nonce goes in", async () => {
    const grant = await ledger.grant(account, ["read"], { expires_at: NOW + 10 })
    await ledger.clock(NOW, NOW + 10)
    assert.deepStrictEqual(
      await ledger.verdicts([
        { ...mine, expires: NOW + 10 },
        { ...mine, expires: NOW + 11 },
        { ...mine, signer: BOT, grant, expires: NOW + 60 }
      ]),
      ["AUTH_EXPIRED", "OK", "FORBIDDEN"]
    )
    assert.strictEqual(await ledger.nonces(account), 1)
  })
})

describe("nonces", () => {
  it("are consumed once per account, within a batch and across batches", async () => {
    await ledger.enroll(OTHER)
    const same = nonce()
    const elsewhere = { account: accountId(OTHER), signer: OTHER, nonce: same }
    assert.deepStrictEqual(
      await ledger.verdicts([
        { ...mine, nonce: same },
        { ...mine, nonce: same },
        elsewhere,
        { ...mine, nonce: same },
        elsewhere
      ]),
      ["OK", "NONCE_REUSED", "OK", "NONCE_REUSED", "NONCE_REUSED"]
    )
    assert.deepStrictEqual(await ledger.verdicts([{ ...mine, nonce: same }, elsewhere, mine]), [
      "NONCE_REUSED",
      "NONCE_REUSED",
      "OK"
    ])
  })

  it("are not consumed by a twin that is refused", async () => {
    const same = nonce()
    assert.deepStrictEqual(
      await ledger.verdicts([
        { ...mine, nonce: same, signer: OTHER },
        { ...mine, nonce: same, expires: NOW },
        { ...mine, nonce: same }
      ]),
      ["FORBIDDEN", "AUTH_EXPIRED", "OK"]
    )
  })

  it("are 1,000 at most, 968 for bots, singly or in a crowd", async () => {
    const grant = await ledger.grant(account, ["read"])
    const bot = { ...mine, signer: BOT, grant }
    await ledger.fill(account, 967, NOW + 20)
    assert.deepStrictEqual(await ledger.verdicts([bot, bot, mine]), ["ALONE", "ALONE", "ALONE"])
    assert.deepStrictEqual(await ledger.verdicts([bot]), ["OK"])
    const full = await ledger.ask([bot])
    assert.deepInclude(full[0], { verdict: "STORAGE_LIMIT", retry_after: 20 })
    for (let live = 968; live < 1000; live++) assert.deepStrictEqual(await ledger.verdicts([mine]), ["OK"])
    assert.deepStrictEqual(await ledger.verdicts([mine]), ["STORAGE_LIMIT"])
    assert.deepStrictEqual(await ledger.verdicts([mine, mine]), ["ALONE", "ALONE"])
    assert.strictEqual(await ledger.nonces(account), 1000)
    assert.deepStrictEqual({ ...LIVE_NONCES }, { perAccount: 1000, reservedForOwner: 1000 - 968 })
    await ledger.clock(NOW + 20)
    assert.deepStrictEqual(await ledger.verdicts([{ ...bot, issued: NOW + 20, expires: NOW + 60 }]), ["OK"])
  })

  it("count as used rather than full when seen before", async () => {
    const seen = nonce()
    await ledger.verdicts([{ ...mine, nonce: seen }])
    await ledger.fill(account, 999, NOW + 20)
    assert.deepStrictEqual(await ledger.verdicts([{ ...mine, nonce: seen }]), ["NONCE_REUSED"])
    const fresh = { ...mine, nonce: nonce() }
    assert.deepStrictEqual(await ledger.verdicts([fresh, fresh]), ["STORAGE_LIMIT", "STORAGE_LIMIT"])
  })

  it("are known until they are swept, though their window is over", async () => {
    const seen = { ...mine, nonce: nonce() }
    await ledger.verdicts([{ ...seen, expires: NOW + 1 }])
    await ledger.clock(NOW + 2)
    assert.deepStrictEqual(await ledger.verdicts([seen]), ["NONCE_REUSED"])
  })

  it("stay within their bound however the minutes of their expiry lie", async () => {
    for (const minutes of [0, 1, 2, 3, 4]) {
      await ledger.client.query(
        "INSERT INTO request_nonces SELECT $1, sha256(($3 || ' ' || i)::bytea), $2 FROM generate_series(1, 200) i",
        [account, NOW + 1 + 60 * minutes, minutes]
      )
      await ledger.client.query("INSERT INTO request_usage VALUES ($1, $2, 0, 0, 200)", [
        account,
        Math.floor((NOW + 1 + 60 * minutes) / 60)
      ])
    }
    assert.deepStrictEqual(await ledger.verdicts([mine]), ["STORAGE_LIMIT"])
  })
})

describe("locks", () => {
  it("leave a held account aside and serve the others", async () => {
    await ledger.enroll(OTHER)
    await other.client.query("BEGIN")
    await other.client.query("SELECT 1 FROM accounts WHERE number = $1 FOR UPDATE", [account])
    assert.deepStrictEqual(
      await ledger.verdicts([mine, { account: accountId(OTHER), signer: OTHER }, mine]),
      ["HELD", "OK", "HELD"]
    )
    await other.client.query("ROLLBACK")
    assert.strictEqual(await ledger.nonces(account), 0)
    assert.deepStrictEqual(await ledger.verdicts([mine]), ["OK"])
  })

  it("are waited for where asked, and looked past a second time", async () => {
    const same = nonce()
    await other.client.query("BEGIN")
    assert.deepStrictEqual(await other.verdicts([{ ...mine, nonce: same }]), ["OK"])
    const waiting = ledger.verdicts([{ ...mine, nonce: same }], { wait: true })
    await other.blocking()
    await other.client.query("COMMIT")
    assert.deepStrictEqual(await waiting, ["NONCE_REUSED"])
  })

  it("admit nobody to an account that appears while another is waited for", async () => {
    await other.client.query("BEGIN")
    await other.client.query("SELECT 1 FROM accounts WHERE number = $1 FOR UPDATE", [account])
    const waiting = ledger.verdicts([mine, { account: accountId(OTHER), signer: OTHER }], { wait: true })
    await other.blocking()
    await other.enroll(OTHER)
    await other.client.query("COMMIT")
    assert.deepStrictEqual(await waiting, ["OK", "ACCOUNT_NOT_FOUND"])
  })

  it("never deadlock, whatever the order of the batches", async () => {
    const owners = Array.from({ length: 20 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`)
    for (const owner of owners) await ledger.enroll(owner)
    const asked = owners.map(owner => ({ account: accountId(owner), signer: owner }))
    for (let round = 0; round < 10; round++) {
      const both = await Promise.all([
        ledger.verdicts(asked, { wait: true }),
        other.verdicts([...asked].reverse(), { wait: true })
      ])
      assert.isTrue(both.flat().every(verdict => verdict === "OK"))
    }
  })
})
