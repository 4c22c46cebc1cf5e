import { afterAll, assert, describe, it } from "vitest"
import { forgetAbi } from "../support/ForgottenAbi.ts"
import { callOf, hopelessPayment, payment, planned } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine, newPayer, newRelayBot, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { signCall } from "../support/SignedCalls.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import { submit } from "../support/Submissions.ts"

const bench = await startRelayBench()
const owner = await newPayer(bench)

afterAll(() => bench.stop())

const simulate = (
  id: string,
  { step = 0, by = owner }: { readonly step?: number; readonly by?: Party } = {}
) => signedFetch(bench.service, by, "GET", `/api/v1/plans/${id}/steps/${step}/simulation`)

describe("a simulation", () => {
  it("runs the exact call as the wallet at one canonical block, without overrides", async () => {
    const plan = await planned(bench, owner)
    const begun = bench.proxy.records.length
    const answer = await simulate(plan.id)
    const told = await answer.json()
    assert.strictEqual(answer.status, 200, JSON.stringify(told))
    const block = await rpc(bench.chain.url, "eth_getBlockByHash", [told.blockHash, false])
    assert.strictEqual(BigInt(block.number), BigInt(told.blockNumber))
    assert.strictEqual(told.commitment, plan.commitment)
    assert.strictEqual(told.simulated, true)
    const { to, data, value } = callOf(plan)
    const call = { from: owner.key.address, to, data, value: `0x${BigInt(value).toString(16)}` }
    const at = { blockHash: told.blockHash, requireCanonical: true }
    assert.strictEqual(told.result, await rpc(bench.chain.url, "eth_call", [call, at]))
    assert.strictEqual(
      BigInt(told.estimatedGas),
      BigInt(await rpc(bench.chain.url, "eth_estimateGas", [call, at]))
    )
    const methods = bench.proxy.records.slice(begun).map(({ method }) => method)
    assert.notInclude(methods, "eth_sendRawTransaction")
  })

  it("shows a revert in the words of the ABI", async () => {
    const plan = await planned(bench, owner, { calls: [hopelessPayment(bench, owner.key.address)] })
    const problem = await assertProblem(await simulate(plan.id), "SIMULATION_REVERTED")
    assert.property(problem.context, "revert")
    assert.match(
      problem.detail,
      /^The call reverts with JBMultiTerminal_UnderMin\(value \d+, min 1(0{40})\)\.$/
    )
  })

  it("says that the wallet lacks the value of the call, and blames no node for it", async () => {
    const poor = await newPayer(bench)
    const plan = await planned(bench, poor)
    const { value } = callOf(plan)
    const set = (balance: bigint) =>
      rpc(bench.chain.url, "anvil_setBalance", [poor.key.address, `0x${balance.toString(16)}`])
    await set(BigInt(value) - 1n)
    await mine(bench, 1)
    const problem = await assertProblem(await simulate(plan.id, { by: poor }), "INSUFFICIENT_BALANCE")
    assert.deepStrictEqual(problem.context, { balance: String(BigInt(value) - 1n), value })
    await set(BigInt(value))
    await mine(bench, 1)
    assert.strictEqual((await simulate(plan.id, { by: poor })).status, 200)
  })

  it("shows a revert of a call whose ABI the catalog has no more, as does a submission", async () => {
    const plan = await planned(bench, owner, { calls: [hopelessPayment(bench, owner.key.address)] })
    await forgetAbi(bench.service.databaseUrl, plan)
    const body = { rawSignedTransaction: await signCall(bench, owner, callOf(plan)) }
    const refusals = [await simulate(plan.id), await submit(bench.service, owner, plan, body)]
    for (const refusal of refusals) await assertProblem(refusal, "SIMULATION_REVERTED")
  })

  it("waits for dependencies", async () => {
    const pay = payment(bench, owner.key.address)
    const plan = await planned(bench, owner, { calls: [pay, { ...pay, dependsOn: [0] }] })
    const problem = await assertProblem(await simulate(plan.id, { step: 1 }), "DEPENDENCIES_UNCONFIRMED")
    assert.deepStrictEqual(problem.context, { blockedBy: [0] })
  })

  it("is refused when the block leaves the chain meanwhile", async () => {
    const plan = await planned(bench, owner)
    await mine(bench, 1)
    const stale = await rpc(bench.chain.url, "eth_getBlockByNumber", ["0x1", false])
    const method = "eth_getBlockByNumber"
    const latest = await rpc(bench.chain.url, method, ["latest", false])
    bench.proxy.fault({ method, phase: "after", act: { kind: "delay", millis: 0 } })
    bench.proxy.fault({
      method,
      phase: "after",
      act: { kind: "result", result: { ...latest, hash: stale.hash } }
    })
    const problem = await assertProblem(await simulate(plan.id), "SIMULATION_REORGED")
    assert.isTrue(problem.retryable)
  })

  it("says that a node is behind which does not have the block", async () => {
    const plan = await planned(bench, owner)
    const isByNumber = ({ method, params }: Question) =>
      method === "eth_getBlockByNumber" && params[0] !== "latest"
    bench.proxy.fault({
      method: "eth_getBlockByNumber",
      within: questions => questions.some(isByNumber),
      phase: "after",
      act: { kind: "rewrite", rewrite: question => (isByNumber(question) ? null : undefined) }
    })
    assert.isTrue((await assertProblem(await simulate(plan.id), "RPC_BEHIND")).retryable)
  })

  it("is for those who may read the plan, and for its steps", async () => {
    const bot = await newRelayBot(bench, owner)
    const twin = await newRelayBot(bench, owner)
    const stranger = await newPayer(bench)
    const plan = await planned(bench, owner, { by: bot })
    assert.strictEqual((await simulate(plan.id)).status, 200)
    assert.strictEqual((await simulate(plan.id, { by: bot })).status, 200)
    const asked = bench.proxy.roundTrips()
    await assertProblem(await simulate(plan.id, { by: twin }), "PLAN_NOT_FOUND")
    await assertProblem(await simulate(plan.id, { by: stranger }), "PLAN_NOT_FOUND")
    await assertProblem(await simulate(plan.id, { step: 1 }), "STEP_NOT_FOUND")
    assert.strictEqual(bench.proxy.roundTrips(), asked)
  })
})
