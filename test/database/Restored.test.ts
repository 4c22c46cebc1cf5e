/** A database that was brought back from a backup, once its operator said so. */
import { afterAll, assert, beforeEach, it } from "vitest"
import { accountId, BOT, LedgerSession, nonce } from "../support/Ledger.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"

const PLAN = "6f1b1b52-8a5c-4d5b-9d43-2a0f5f0c7a11"
const BOUND = "6f1b1b52-8a5c-4d5b-9d43-2a0f5f0c7a12"
const FAR = 4_000_000_000_000

const database = await migratedDatabase()
const ledger = await LedgerSession.open(database.url)

let account: number

const rows = async (text: string, values: ReadonlyArray<unknown> = []) =>
  (await ledger.client.query(text, [...values])).rows

const storePlan = async (id: string) => {
  await rows(
    `INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at)
      VALUES ($1, $2, 'owner', 'contract_calls', '0x', '{}', '0x', 5, ${FAR})`,
    [id, account]
  )
  await rows("INSERT INTO plan_steps (plan, step) VALUES ($1, 0)", [id])
}

const mark = async (keepsGrants: boolean) => {
  const [marked] = await rows("SELECT * FROM mark_restored($1)", [keepsGrants])
  return marked
}

beforeEach(async () => {
  await rows("TRUNCATE accounts, restorations CASCADE")
  await rows("UPDATE history SET behind_since = NULL")
  account = await ledger.enroll()
})

afterAll(async () => {
  await ledger.client.end()
  await database.drop()
})

it("accepts no request that may have been accepted before it, and every later one", async () => {
  const { requests_after } = await mark(false)
  await ledger.clock(requests_after)
  const asked = (issued: number) => ({
    account: accountId(),
    issued,
    expires: requests_after + 200,
    nonce: nonce()
  })
  const verdicts = await ledger.verdicts([
    asked(requests_after - 60),
    asked(requests_after),
    asked(requests_after + 1)
  ])
  assert.deepStrictEqual(verdicts, ["AUTH_EXPIRED", "AUTH_EXPIRED", "OK"])
  assert.strictEqual(await ledger.nonces(account), 1)
})

it("ends the grants that nobody knows to be unrevoked, unless they are kept", async () => {
  const grant = await ledger.grant(account, ["read"])
  assert.strictEqual((await mark(true)).grants_ended, 0)
  const { requests_after, grants_ended } = await mark(false)
  assert.strictEqual(grants_ended, 1)
  await ledger.clock(requests_after + 1)
  const asked = { account: accountId(), signer: BOT, grant, scope: "read", issued: requests_after + 1 }
  assert.deepStrictEqual(await ledger.verdicts([{ ...asked, expires: requests_after + 200 }]), ["FORBIDDEN"])
})

it("ends the plans of which a step may have left, and no other", async () => {
  await storePlan(PLAN)
  await storePlan(BOUND)
  await rows(
    `INSERT INTO transport_bindings VALUES ($1, 0, 'signed-eoa-transaction', gen_random_uuid(), '0x', '{}', '\\x', 6)`,
    [BOUND]
  )
  const { restored_at, plans_ended } = await mark(false)
  assert.strictEqual(plans_ended, 1)
  const found = await rows("SELECT id, expires_at FROM plans ORDER BY id")
  assert.deepStrictEqual(found, [
    { id: PLAN, expires_at: restored_at },
    { id: BOUND, expires_at: FAR }
  ])
})

const publishedBefore = async () => {
  await storePlan(PLAN)
  await storePlan(BOUND)
  await rows(
    `INSERT INTO sponsorships (id, account, principal, plan, authorizations, commitment, created_at, expires_at)
      VALUES ($1, $2, 'owner', $3, '[]', '0x', 5, 6)`,
    [BOUND, account, BOUND]
  )
  await rows(
    `INSERT INTO publications (sponsorship, submission_hash, signatures, token, reserved_at, expires_at)
      VALUES ($1, '0x', '{}', gen_random_uuid(), 6, 7)`,
    [BOUND]
  )
  await rows("INSERT INTO fundings (plan, sponsorship, chain_id) VALUES ($1, $2, 1)", [PLAN, BOUND])
  return mark(false)
}

it("has nobody pay by a plan made after it for what was published before it", async () => {
  const { restored_at } = await publishedBefore()
  await rows("UPDATE plans SET created_at = $2, expires_at = $3 WHERE id = $1", [PLAN, restored_at + 1, FAR])
  const refusal = await rows("SELECT admit_funding($1)", [PLAN]).catch(cause => cause)
  assert.deepInclude(refusal, { message: "SPONSORSHIP_CONFLICT", detail: "restored" })
})

it("takes up what was paid by a plan from before it", async () => {
  await publishedBefore()
  await rows("SELECT admit_funding($1)", [PLAN])
  assert.deepStrictEqual(await rows("SELECT admitted FROM fundings"), [{ admitted: true }])
})

it("is marked later each time, and no earlier than what it holds", async () => {
  await storePlan(PLAN)
  await rows("UPDATE plans SET created_at = $1", [FAR])
  const first = await mark(false)
  const second = await mark(false)
  assert.isAtLeast(first.restored_at, FAR)
  assert.isAbove(second.restored_at, first.restored_at)
})

it("is marked no earlier than its loss was noticed, by a clock that was ahead", async () => {
  await rows("UPDATE history SET behind_since = $1", [FAR])
  assert.isAtLeast((await mark(false)).restored_at, FAR)
})
