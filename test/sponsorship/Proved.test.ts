/** What became of a published request is proved by its chain alone, in whatever shape it was executed. */
import { afterAll, assert, describe, it } from "vitest"
import { payment, stepOf } from "../support/PlannedCalls.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { until } from "../support/Until.ts"
import {
  comesTo,
  confirm,
  execute,
  fund,
  hintOf,
  look,
  observationOf,
  publication,
  startExecutingBench
} from "./support/Executing.ts"
import { lookAnew } from "./support/Quoted.ts"
import { authorizationOf } from "./support/Sponsored.ts"

/** So many blocks that a search that found nothing would go on behind them. */
const SEARCHED_ANEW = 600
const BENEFICIARY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const bench = await startExecutingBench()

afterAll(() => bench.stop())

const executedBy = async (...options: Parameters<typeof publication>) => {
  const made = await publication(...options)
  await fund(bench)
  await until(
    async () => observationOf((await look(bench, made)).sponsorship).state,
    state => state.startsWith("confirm")
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
    bench.proxy.fault({
      method: "debug_traceTransaction",
      times: 1_000,
      phase: "after",
      act: { kind: "error", code: -32_000, message: "execution timeout" }
    })
    const again = (await look(bench, made)).sponsorship
    assert.deepStrictEqual([again.state, observationOf(again).proof], ["completed", "traced"])
    bench.proxy.clearFaults()
  })

  it("once, by a provider that tries it twice", async () => {
    const made = await executedBy(bench, { lie: "executes-twice" })
    const sponsorship = await comesTo(bench, made, "completed")
    assert.strictEqual(observationOf(sponsorship).proof, "direct")
  })
})

describe("a request is not proved to be executed", () => {
  it("where the provider executes the first of two alone", async () => {
    const pay = payment(bench, BENEFICIARY)
    const made = await executedBy(bench, { calls: [pay, pay], lie: "executes-first-only" })
    const { state, observations } = await comesTo(bench, made, "executing")
    assert.strictEqual(state, "executing")
    await until(
      async () => (await look(bench, made)).sponsorship.observations.map(each => each.state).join(),
      states => states === "confirmed,pending"
    )
    assert.strictEqual(observations.length, 2)
  })

  it("where the provider's block is gone, and its transaction never comes back", async () => {
    const made = await publication(bench, { lie: "executes-reorged" })
    await fund(bench)
    await until(
      () => lookAnew(bench, made.owner, made.sponsorship),
      ({ observations }) => observations[0]?.providerState === "Success"
    )
    const executed = await hintOf(bench, made)
    await until(
      () => rpc(bench.chain.url, "eth_getTransactionReceipt", [executed]),
      receipt => receipt === null
    )
    await confirm(bench)
    const states = ["pending", "unknown", "reorged"]
    const { sponsorship } = await look(bench, made)
    assert.include(states, observationOf(sponsorship).state)
    assert.notInclude(["completed", "execution_verified"], sponsorship.state)
  })

  it("where the forwarder had other code at that block", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const { forwarder } = authorizationOf(made.sponsorship)
    const code = await rpc(bench.chain.url, "eth_getCode", [forwarder, "latest"])
    await rpc(bench.chain.url, "anvil_setCode", [forwarder, `${code}00`])
    await execute(bench, made)
    await confirm(bench)
    await rpc(bench.chain.url, "anvil_setCode", [forwarder, code])
    const { sponsorship, plan } = await look(bench, made)
    const { reason, semantic, proof } = observationOf(sponsorship)
    assert.deepStrictEqual(
      [reason, semantic?.status, proof],
      ["FORWARDER_CODE_CHANGED", "unknown", undefined]
    )
    assert.strictEqual(sponsorship.state, "executing")
    assert.strictEqual(stepOf(plan).semantic?.status, "unknown")
  })

  it("where the node has the state of its block no more, which says so and takes nothing back", async () => {
    const forget = () =>
      bench.proxy.fault({
        method: "eth_getCode",
        times: 1_000,
        phase: "after",
        act: { kind: "error", code: -32_000, message: "missing trie node" }
      })
    const made = await publication(bench, { lie: "executes-never" })
    await execute(bench, made)
    await confirm(bench)
    forget()
    const { sponsorship, plan } = await look(bench, made)
    const { reason, state, proof } = observationOf(sponsorship)
    assert.deepStrictEqual([state, reason, proof], ["confirmed", "STATE_UNAVAILABLE", undefined])
    assert.strictEqual(sponsorship.state, "executing")
    assert.strictEqual(stepOf(plan).semantic?.status, "unknown")
    bench.proxy.clearFaults()
    await comesTo(bench, made, "completed")
    forget()
    await confirm(bench)
    assert.strictEqual((await look(bench, made)).sponsorship.state, "completed")
    bench.proxy.clearFaults()
  })

  it("where its nonce is used up and no event tells of it", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    await execute(bench, made)
    await mine(bench, SEARCHED_ANEW)
    const rewrite = ({ method }: Question, result: unknown) => (method === "eth_getLogs" ? [] : result)
    bench.proxy.fault({
      method: "eth_getLogs",
      times: 100,
      phase: "after",
      act: { kind: "rewrite", rewrite }
    })
    const { sponsorship } = await look(bench, made)
    const { state, reason } = observationOf(sponsorship)
    assert.deepStrictEqual([state, reason], ["unknown", "FORWARD_NONCE_PASSED"])
    assert.strictEqual(sponsorship.nextAction.kind, "wait")
    await look(bench, made)
    bench.proxy.clearFaults()
    await comesTo(bench, made, "completed")
  })
})
