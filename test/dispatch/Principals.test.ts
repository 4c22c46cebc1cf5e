import { afterAll, assert, describe, it } from "vitest"
import { newBot, newKey } from "../support/Bots.ts"
import { callOf, contractCalls, payment, planned, requestPlan } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { newPayer, newRelayBot, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { signCall } from "../support/SignedCalls.ts"
import { approvedStep, signApproval } from "../support/StepApproval.ts"
import { submit } from "../support/Submissions.ts"

const bench = await startRelayBench()
const owner = await newPayer(bench)
const bot = await newRelayBot(bench, owner)
const plan = await planned(bench, owner, { by: bot })
const raw = await signCall(bench, owner, callOf(plan))

afterAll(() => bench.stop())

const signed = () => signApproval(owner.key, bench.service, approvedStep(bot, plan, raw))

describe("scopes and principals", () => {
  it.each([[["read"]], [["read", "plan"]]])(
    "never let a bot of %j dispatch, with every approval",
    async scopes => {
      const weak = await newBot(bench.service, owner, { scopes })
      const by = scopes.includes("plan") ? weak : bot
      const own = await planned(bench, owner, { by })
      const bytes = await signCall(bench, owner, callOf(own))
      for (const principal of [weak, bot]) {
        const ownerApproval = await signApproval(
          owner.key,
          bench.service,
          approvedStep(principal, own, bytes)
        )
        const answer = await submit(bench.service, weak, own, { rawSignedTransaction: bytes, ownerApproval })
        await assertProblem(answer, "FORBIDDEN")
      }
      assert.strictEqual(timesSent(bench, bytes), 0)
    }
  )

  it("hide a plan from another bot of the account", async () => {
    const twin = await newRelayBot(bench, owner)
    const ownerApproval = await signApproval(owner.key, bench.service, approvedStep(twin, plan, raw))
    const answer = await submit(bench.service, twin, plan, { rawSignedTransaction: raw, ownerApproval })
    await assertProblem(answer, "PLAN_NOT_FOUND")
  })

  it("refuse a plan for another wallet", async () => {
    const body = contractCalls({ ...owner, key: newKey() }, [payment(bench, owner.key.address)])
    await assertProblem(await requestPlan(bench.service, bot, body), "PLAN_ACCOUNT_MISMATCH")
    await assertProblem(await requestPlan(bench.service, owner, body), "PLAN_ACCOUNT_MISMATCH")
  })

  it("refuse an approval in the owner's own request", async () => {
    const own = await planned(bench, owner)
    const bytes = await signCall(bench, owner, callOf(own))
    const ownerApproval = await signed()
    const answer = await submit(bench.service, owner, own, { rawSignedTransaction: bytes, ownerApproval })
    await assertProblem(answer, "INVALID_OWNER_APPROVAL")
  })
})
