/** A payment that was to be decided when the database was restored from a backup. */
import { afterAll, assert, it } from "vitest"
import { assertProblem } from "../support/Problem.ts"
import { sqlOn } from "../support/Sql.ts"
import { approve, cancel, toldByPage } from "./support/Deciding.ts"
import {
  appBot,
  operationBy,
  pilotWallet,
  reviewed,
  shownReview,
  startPilotBench
} from "./support/PilotBench.ts"

const bench = await startPilotBench()
const { service } = bench

afterAll(() => bench.stop())

const restore = async (keepsGrants: boolean) => {
  await sqlOn(service.databaseUrl, "SELECT mark_restored($1)", [keepsGrants])
  await sqlOn(service.databaseUrl, "UPDATE restorations SET requests_after = 0")
}

it("is not said to be unsigned, for it may have been approved since the backup", {
  timeout: 120_000
}, async () => {
  const pilot = await pilotWallet(bench, 0)
  const bot = await appBot(bench, pilot)
  const review = await reviewed(bench, bot, (await operationBy(bench, pilot, bot)).id)
  await restore(true)
  const { status, decidedAt } = await (await shownReview(bench, bot, review.id)).json()
  assert.deepStrictEqual([status, decidedAt], ["expired", null])
  const told = await toldByPage(bench, review)
  assert.include(told, "does not know whether you approved this payment")
  assert.notInclude(told, "<button")
  await assertProblem(await approve(bench, pilot, review), "PAYMENT_REVIEW_EXPIRED")
  await assertProblem(await cancel(bench, review), "PAYMENT_REVIEW_EXPIRED")

  await restore(false)
  assert.include(await toldByPage(bench, review), "does not know whether you approved this payment")
})

it("stays approved where the backup knows that", { timeout: 120_000 }, async () => {
  const pilot = await pilotWallet(bench, 1)
  const bot = await appBot(bench, pilot)
  const review = await reviewed(bench, bot, (await operationBy(bench, pilot, bot)).id)
  assert.strictEqual((await approve(bench, pilot, review)).status, 200)
  await restore(true)
  const { status, approval } = await (await shownReview(bench, bot, review.id)).json()
  assert.strictEqual(status, "approved")
  assert.isNotNull(approval)
  const told = await toldByPage(bench, review)
  assert.include(told, "You approved this payment.")
  assert.include(told, "does not know whether it was sent")
  assert.notInclude(told, "never made")
})
