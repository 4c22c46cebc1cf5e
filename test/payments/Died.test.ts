/** A process that dies once a review is decided leaves it decided, with the envelope for its app and for nobody again. */
import { Effect, Exit } from "effect"
import { afterAll, assert, it } from "vitest"
import { approveReview } from "../../src/payments/DecideReview.ts"
import { AtFailpoint } from "../../src/values/Failpoint.ts"
import { assertProblem } from "../support/Problem.ts"
import { workerOf } from "../support/Worker.ts"
import { approve, assertionFor } from "./support/Deciding.ts"
import {
  appBot,
  operationBy,
  pilotWallet,
  reviewed,
  shownReview,
  startPilotBench
} from "./support/PilotBench.ts"

const bench = await startPilotBench({}, { passkeys: 1, apps: 1 })

afterAll(() => bench.stop())

it("decides once", { timeout: 120_000 }, async () => {
  const pilot = await pilotWallet(bench, 0)
  const bot = await appBot(bench, pilot)
  const review = await reviewed(bench, bot, (await operationBy(bench, pilot, bot)).id)
  const worker = workerOf(bench, { audience: bench.service.audience, ...bench.pilot })
  const dying = approveReview(review.id, assertionFor(bench, pilot, review)).pipe(
    Effect.provideService(AtFailpoint, at => (at === "review.decided" ? Effect.interrupt : Effect.void))
  )
  assert.isTrue(Exit.isInterrupted(await worker.runPromiseExit(dying)))
  await worker.dispose()
  await assertProblem(await approve(bench, pilot, review), "PAYMENT_REVIEW_DECIDED")
  const { status, approval } = await (await shownReview(bench, bot, review.id)).json()
  assert.strictEqual(status, "approved")
  assert.match(approval.signature, /^0x[0-9a-f]+$/)
})
