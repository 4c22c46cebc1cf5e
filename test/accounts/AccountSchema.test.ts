import { afterAll, assert, describe, it } from "vitest"
import { accountId, BOT, LedgerSession, OWNER } from "../support/Ledger.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"

const OTHER = `0x${"c3".repeat(20)}`

const database = await migratedDatabase()
const ledger = await LedgerSession.open(database.url)
const account = await ledger.enroll()

afterAll(async () => {
  await ledger.client.end()
  await database.drop()
})

describe("the schema of accounts", () => {
  const refused = async (text: string, values: ReadonlyArray<unknown>) =>
    ledger.client.query(text, [...values]).then(
      () => "accepted",
      (error: { readonly code: string }) => error.code
    )

  it("knows no other scopes, no second account of an owner and no other id", async () => {
    const grant = "INSERT INTO bot_grants VALUES (gen_random_uuid(), $1, $2, $3, '', 1, 2, NULL)"
    for (const scopes of [[], ["plan"], ["read", "relay"], ["plan", "read"], ["read", "read"], [["read"]]])
      assert.strictEqual(await refused(grant, [account, BOT, scopes]), "23514", JSON.stringify(scopes))
    assert.strictEqual(await refused(grant, [account, BOT, ["read"]]), "accepted")
    const insert =
      "INSERT INTO accounts (id, authority_chain_id, owner_address, created_at, updated_at) VALUES ($1, $2, $3, 1, 1)"
    assert.strictEqual(await refused(insert, [accountId(), 1, OWNER]), "23505")
    assert.strictEqual(await refused(insert, [accountId(OTHER), 2, OTHER]), "23514")
  })
})
