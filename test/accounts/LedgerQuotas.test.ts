import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { accountId, BOT, LedgerSession, nonce } from "../support/Ledger.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"

const NOW = 1000
const OTHER = `0x${"c3".repeat(20)}`

let account: number

const database = await migratedDatabase()
const ledger = await LedgerSession.open(database.url)

beforeEach(async () => {
  await ledger.client.query("TRUNCATE accounts CASCADE")
  await ledger.clock(NOW)
  account = await ledger.enroll()
})

afterAll(async () => {
  await ledger.client.end()
  await database.drop()
})

const mine = { account: accountId() }

describe("quotas", () => {
  const quotas = { ownerQuota: 3, botsQuota: 2 }

  it("are exact at their edge, apart for the owner and all bots together", async () => {
    const grants = await ledger.grants(account, [["read"], ["read", "plan"]])
    const bots = [...grants, ...grants].map(grant => ({ ...mine, signer: BOT, grant }))
    const judged = await ledger.ask(bots, quotas)
    assert.deepStrictEqual(
      judged.map(({ verdict }) => verdict),
      ["OK", "OK", "RATE_LIMITED", "RATE_LIMITED"]
    )
    assert.deepStrictEqual(
      judged.map(each => [each.quota_limit, each.quota_remaining]),
      [
        [2, 1],
        [2, 0],
        [2, 0],
        [2, 0]
      ]
    )
    assert.strictEqual(judged[2]?.retry_after, 60 - (NOW % 60))
    const owner = await ledger.ask([mine, mine, mine, mine], quotas)
    assert.deepStrictEqual(
      owner.map(({ verdict }) => verdict),
      ["OK", "OK", "OK", "RATE_LIMITED"]
    )
    assert.strictEqual(await ledger.nonces(account), 5)
  })

  it("begin anew with the minute", async () => {
    await ledger.verdicts([mine, mine, mine], quotas)
    await ledger.clock(NOW - (NOW % 60) + 59)
    assert.deepStrictEqual(await ledger.verdicts([mine], quotas), ["RATE_LIMITED"])
    await ledger.clock(NOW - (NOW % 60) + 60)
    assert.deepStrictEqual(await ledger.verdicts([{ ...mine, issued: NOW + 20 }], quotas), ["OK"])
  })

  it("are not charged for what was said before, once or many times", async () => {
    const [grant = ""] = await ledger.grants(account, [["read"]])
    const said = { ...mine, nonce: nonce() }
    const saidByBot = { ...mine, signer: BOT, grant, nonce: nonce() }
    assert.deepStrictEqual(await ledger.verdicts([said, saidByBot], quotas), ["OK", "OK"])
    for (let time = 0; time < 4; time++)
      assert.deepStrictEqual(await ledger.verdicts([said, saidByBot], quotas), [
        "NONCE_REUSED",
        "NONCE_REUSED"
      ])
    const left = await ledger.ask([mine, { ...mine, signer: BOT, grant }], quotas)
    assert.deepStrictEqual([left[0]?.quota_remaining, left[1]?.quota_remaining], [1, 0])
  })

  it("are not spent by what was said before, however much of it one batch holds", async () => {
    const said = { ...mine, nonce: nonce() }
    const fresh = { ...mine, nonce: nonce() }
    await ledger.verdicts([said], quotas)
    const batch = [said, said, said, said, fresh, fresh, mine, mine, fresh]
    const judged = await ledger.ask(batch, quotas)
    assert.deepStrictEqual(
      judged.map(({ verdict, quota_remaining }) => `${verdict} ${quota_remaining}`),
      [
        ...Array(4).fill("NONCE_REUSED 2"),
        ...["OK 1", "NONCE_REUSED 1", "OK 0", "RATE_LIMITED 0", "NONCE_REUSED 0"]
      ]
    )
    assert.strictEqual(await ledger.nonces(account), 3)
  })

  it("refuse what is said twice in one batch alike where none is left for the first", async () => {
    const late = { ...mine, nonce: nonce() }
    await ledger.verdicts([mine, mine, mine], quotas)
    assert.deepStrictEqual(await ledger.verdicts([late, late], quotas), ["RATE_LIMITED", "RATE_LIMITED"])
  })

  it("are not charged for requests that are not the account's", async () => {
    await ledger.verdicts(
      [
        { ...mine, signer: OTHER },
        { ...mine, expires: NOW }
      ],
      quotas
    )
    const [judged] = await ledger.ask([mine], quotas)
    assert.strictEqual(judged?.quota_remaining, 2)
  })
})
