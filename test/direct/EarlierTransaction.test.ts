import { afterAll, assert, describe, it } from "vitest"
import { callOf, planned, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, newPayer, newRelayBot, startRelayBench } from "../support/RelayBench.ts"
import { reorg, sendDirectly, signedPayment } from "../support/Relayed.ts"
import { signCall } from "../support/SignedCalls.ts"
import { refreshed, submit } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

/** The owner's payment of before, made without the service, and a plan to pay the same once more. */
const paidBefore = async () => {
  const owner = await newPayer(bench)
  const bot = await newRelayBot(bench, owner)
  const raw = await signCall(bench, owner, callOf(await planned(bench, owner)))
  await sendDirectly(bench, raw)
  return { owner, bot, body: { rawSignedTransaction: raw } }
}

describe("a transaction that was mined before the plan was made", () => {
  it("is no execution of it, and a bot needs the owner's approval as for any other", async () => {
    const { owner, bot, body } = await paidBefore()
    const plan = await planned(bench, owner, { by: bot })
    await assertProblem(await submit(bench.service, bot, plan, body), "OWNER_APPROVAL_REQUIRED")
    await mine(bench)
    const after = await refreshed(bench.service, bot, plan)
    assert.strictEqual(after.status, "prepared")
    assert.notProperty(stepOf(after), "transaction")
  })

  it("is told to its owner by the nonce that it took", async () => {
    const { owner, body } = await paidBefore()
    const plan = await planned(bench, owner)
    const problem = await assertProblem(await submit(bench.service, owner, plan, body), "NONCE_NOT_READY")
    assert.deepStrictEqual(problem.context, { signed: "0", latest: "1", pending: "1" })
  })

  it("is none either once the block that the plan rests on has left the chain", async () => {
    const { owner, body } = await paidBefore()
    await mine(bench)
    const plan = await planned(bench, owner)
    await reorg(bench, 1)
    await assertProblem(await submit(bench.service, owner, plan, body), "PLAN_EVIDENCE_REORGED")
  })

  it("is monitored where it was mined after the plan was made", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    await sendDirectly(bench, raw)
    const answer = await submit(bench.service, owner, plan, body)
    assert.strictEqual((await answer.json()).dispatch.status, "already-observed")
  })
})
