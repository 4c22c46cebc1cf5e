import { afterAll, assert, describe, it } from "vitest"
import { mined, relayedAndMined as relayed } from "../support/Mined.ts"
import { callOf, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { reorg, sendDirectly } from "../support/Relayed.ts"
import { signCall } from "../support/SignedCalls.ts"
import { sqlOn } from "../support/Sql.ts"
import { submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

describe("a reorganisation", () => {
  it("takes a confirmation back, blocks what rests on it, and gives both back", async () => {
    const { owner, plan, raw, refresh } = await relayed(bench, { calls: 2 })
    await mine(bench, 1)
    const before = await refresh()
    assert.strictEqual(before.status, "partial")
    assert.strictEqual(stepOf(before, 1).state, "ready")
    await reorg(bench, 2)
    const lost = await refresh()
    assert.strictEqual(lost.status, "reorged")
    assert.strictEqual(stepOf(lost).state, "reorged")
    assert.isFalse(stepOf(lost).receipt?.canonical)
    assert.notProperty(stepOf(lost), "semantic")
    assert.strictEqual(stepOf(lost, 1).state, "blocked")
    assert.deepStrictEqual(stepOf(lost, 1).blockedBy, [0])
    const next = await signCall(bench, owner, callOf(plan, 1))
    const problem = await assertProblem(
      await submit(bench.service, owner, plan, { rawSignedTransaction: next }, { step: 1 }),
      "DEPENDENCIES_UNCONFIRMED"
    )
    assert.deepStrictEqual(problem.context, { blockedBy: [0] })
    await sendDirectly(bench, raw)
    assert.strictEqual(stepOf(await refresh()).state, "confirming")
    await mine(bench, 1)
    const again = await refresh()
    assert.strictEqual(stepOf(again).state, "confirmed")
    assert.strictEqual(stepOf(again, 1).state, "ready")
    await submitted(
      bench.service,
      owner,
      plan,
      { rawSignedTransaction: await signCall(bench, owner, callOf(plan, 1)) },
      { step: 1 }
    )
    await mine(bench)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
    assert.strictEqual(timesSent(bench, raw), 1)
  })

  it("is seen by a submission that rests on the lost step, though nobody refreshed", async () => {
    const { owner, plan, refresh } = await relayed(bench, { calls: 2 })
    await mine(bench, 1)
    await refresh()
    const next = await signCall(bench, owner, callOf(plan, 1))
    await reorg(bench, 2)
    const answer = await submit(bench.service, owner, plan, { rawSignedTransaction: next }, { step: 1 })
    await assertProblem(answer, "DEPENDENCIES_UNCONFIRMED")
    assert.strictEqual(timesSent(bench, next), 0)
  })

  it("lets the identical bytes be sent again after the lease", async () => {
    const { owner, plan, raw, refresh } = await relayed(bench)
    await mine(bench, 1)
    await refresh()
    await reorg(bench, 2)
    assert.strictEqual((await refresh()).status, "reorged")
    await sqlOn(bench.service.databaseUrl, "UPDATE dispatch_leases SET expires_at = 0 WHERE plan = $1", [
      plan.id
    ])
    const { dispatch } = await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
    assert.strictEqual(dispatch.count, 2)
    await mined(bench, raw)
    await mine(bench, 1)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
    assert.strictEqual(timesSent(bench, raw), 2)
  })

  it.each([1, 4, 16])("of %i blocks above the receipt changes nothing", async depth => {
    const { refresh } = await relayed(bench)
    await mine(bench, depth + 1)
    await refresh()
    await reorg(bench, depth)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
  })
})
