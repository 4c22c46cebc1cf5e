/** What became of a published request is proved by its chain alone, in whatever shape it was executed. */
import { afterAll, assert, describe, it } from "vitest"
import { payment, stepOf } from "../support/PlannedCalls.ts"
import { until } from "../support/Until.ts"
import {
  comesTo,
  confirm,
  execute,
  fund,
  look,
  observationOf,
  publication,
  startExecutingBench
} from "./support/Executing.ts"

const BENEFICIARY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const bench = await startExecutingBench()

afterAll(() => bench.stop())

const executedBy = async (...options: Parameters<typeof publication>) => {
  const made = await publication(...options)
  await fund(bench)
  await until(
    async () => observationOf((await look(bench, made)).sponsorship).state,
    state => state === "confirming"
  )
  await confirm(bench)
  return made
}

describe("a request is proved to be executed", () => {
  it("by the provider, as the forwarder's own call", async () => {
    const made = await publication(bench)
    assert.strictEqual(observationOf((await look(bench, made)).sponsorship).state, "pending")
    await fund(bench)
    await until(
      async () => observationOf((await look(bench, made)).sponsorship).state,
      state => state === "confirming"
    )
    await confirm(bench)
    const { state, observations } = await comesTo(bench, made, "completed")
    assert.strictEqual(state, "completed")
    const [{ hash = assert.fail("no hash"), proof, receipt, semantic } = assert.fail("no observation")] =
      observations
    assert.strictEqual(proof, "direct")
    assert.strictEqual(semantic?.status, "verified")
    const step = stepOf((await look(bench, made)).plan)
    assert.strictEqual(step.state, "confirmed")
    assert.deepStrictEqual(step.execution, {
      transport: "forwarder-prepaid-erc2771",
      bindingId: made.sponsorship.id,
      chainId: 31337,
      hash
    })
    assert.deepStrictEqual(step.externalExecution, {
      transport: "forwarder-prepaid-erc2771",
      bindingId: made.sponsorship.id,
      chainId: 31337,
      transactionHash: hash,
      state: "confirmed"
    })
    assert.strictEqual(receipt?.transactionHash, hash)
  })

  it("by a third party, whom nobody asked", async () => {
    const made = await publication(bench)
    await execute(bench, made)
    await confirm(bench)
    const sponsorship = await comesTo(bench, made, "completed")
    assert.strictEqual(observationOf(sponsorship).proof, "direct")
  })

  it("in a batch", async () => {
    const made = await executedBy(bench, { lie: "executes-batched" })
    const sponsorship = await comesTo(bench, made, "completed")
    assert.strictEqual(observationOf(sponsorship).proof, "batched")
  })

  it("in a batch of several, whose events tell no effect of theirs apart", async () => {
    const pay = payment(bench, BENEFICIARY)
    const made = await executedBy(bench, { calls: [pay, pay], lie: "executes-batched" })
    const { observations } = await comesTo(bench, made, "execution_verified")
    assert.deepStrictEqual(
      observations.map(({ state, proof, semantic }) => [state, proof, semantic?.status]),
      [
        ["confirmed", "batched", "unknown"],
        ["confirmed", "batched", "unknown"]
      ]
    )
  })

  it("within a call of another contract, as a trace shows", async () => {
    const made = await executedBy(bench, { lie: "executes-nested" })
    const sponsorship = await comesTo(bench, made, "completed")
    assert.strictEqual(observationOf(sponsorship).proof, "traced")
  })
})
