import { afterAll, assert, describe, it } from "vitest"
import { callOf, planned, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { holdAnswer } from "../support/Relayed.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, shown, submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

describe("a plan past its expiry", () => {
  it("admits nothing", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    await sql("UPDATE plans SET created_at = 0, expires_at = 1 WHERE id = $1", [plan.id])
    assert.strictEqual((await shown(bench.service, owner, plan)).status, "expired")
    const raw = await signCall(bench, owner, callOf(plan))
    await assertProblem(
      await submit(bench.service, owner, plan, { rawSignedTransaction: raw }),
      "PLAN_EXPIRED"
    )
    assert.strictEqual(timesSent(bench, raw), 0)
    const simulation = await signedFetch(
      bench.service,
      owner,
      "GET",
      `/api/v1/plans/${plan.id}/steps/0/simulation`
    )
    await assertProblem(simulation, "PLAN_EXPIRED")
  })

  it("is looked at again inside the claim", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    const estimate = holdAnswer(bench, "eth_estimateGas")
    const answer = submit(bench.service, owner, plan, { rawSignedTransaction: raw })
    await estimate.reached
    await sql("UPDATE plans SET created_at = 0, expires_at = 1 WHERE id = $1", [plan.id])
    estimate.letGo()
    await assertProblem(await answer, "PLAN_EXPIRED")
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("still answers an outcome, reads, and reconciles what was admitted", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    const idempotencyKey = freshNonce()
    const body = { rawSignedTransaction: raw }
    await submitted(bench.service, owner, plan, body, { idempotencyKey })
    await sql("UPDATE plans SET created_at = 0, expires_at = 1 WHERE id = $1", [plan.id])
    const again = await submit(bench.service, owner, plan, body, { idempotencyKey })
    assert.strictEqual(again.status, 202)
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
    assert.strictEqual(stepOf(await shown(bench.service, owner, plan)).state, "confirmed")
  })
})
