/** Replicas of the former build claim and read while a new one brings their database up to date, and go on afterwards. */
import { assert, it } from "vitest"
import { ClaimSession, dispatchOf, NOW } from "../support/ClaimSession.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { accountId, LedgerSession } from "../support/Ledger.ts"
import { formerDatabase, migrated } from "../support/MigratedDatabase.ts"

const CLAIMS = 300
/** The claim had begun before, and what it was about to write or call is gone. */
const GONE = ["42P01", "42883"]

it("claims go on through an upgrade: each holds its nonce or left nothing", async () => {
  const database = await formerDatabase("0010_bindings.sql")
  const session = await ClaimSession.open(database.url)
  const reader = await ClaimSession.open(database.url)
  await stopClock(database.url, NOW)
  const account = await new LedgerSession(session.client).enroll()
  const plans: Array<string> = []
  for (let made = 0; made < CLAIMS; made++) plans.push(await session.plan(account, `owner:${accountId()}`))

  let begun = 0
  const outcomes: Array<string> = []
  const claiming = async () => {
    for (const [index, plan] of plans.entries()) {
      begun = index
      const asked = { ...dispatchOf(plan), nonce: String(index) }
      outcomes.push(await session.verdict(asked).catch(failure => String(failure.code)))
    }
  }
  const reading = async () => {
    while (outcomes.length < CLAIMS) await reader.rows("SELECT * FROM plan_records WHERE id = $1", [plans[0]])
  }
  const upgrading = async () => {
    while (begun < CLAIMS / 10) await new Promise(resolve => setTimeout(resolve, 1))
    return migrated(database.url)
  }
  const [applied] = await Promise.all([upgrading(), claiming(), reading()])

  assert.isAbove(applied, 0)
  assert.isAtMost(outcomes.filter(outcome => GONE.includes(outcome)).length, 1)
  const claimed = plans.filter((_, index) => outcomes[index] === "CLAIMED")
  assert.isAtLeast(claimed.length, CLAIMS - 1)
  const rows = await session.rows(
    `SELECT b.plan, n.nonce, l.count FROM transport_bindings b
     JOIN reserved_nonces n ON n.plan = b.plan AND n.step = b.step
     JOIN dispatch_leases l ON l.plan = b.plan AND l.step = b.step ORDER BY n.nonce::int`
  )
  assert.deepStrictEqual(
    rows,
    claimed.map(plan => ({ plan, nonce: String(plans.indexOf(plan)), count: 1 }))
  )
  await Promise.all([session.client.end(), reader.client.end()])
  await database.drop()
})
