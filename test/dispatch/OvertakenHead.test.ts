import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertProblem } from "../support/Problem.ts"
import {
  callOf,
  mine,
  newPayer,
  planned,
  type RelayBench,
  rpc,
  signCall,
  startRelayBench,
  submit,
  timesSent
} from "../support/RelayBench.ts"
import { holdAnswer } from "../support/Relayed.ts"

let bench: RelayBench

beforeAll(async () => {
  bench = await startRelayBench()
})

afterAll(() => bench.stop())

describe("a call that reverts at a head that is overtaken", () => {
  /** The terminal reverts until the given preflight has been run; after each of them a block is mined. */
  const submittedAcross = async (reverting: number) => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    const { to } = callOf(plan)
    const code = await rpc(bench.chain.url, "eth_getCode", [to, "latest"])
    await rpc(bench.chain.url, "anvil_setCode", [to, "0x5f5ffd"])
    const held = holdAnswer(bench, "eth_estimateGas")
    const answer = submit(bench.service, owner, plan, { rawSignedTransaction: raw })
    let { reached, letGo } = held
    for (let preflight = 1; preflight <= reverting; preflight++) {
      await reached
      if (preflight === reverting) await rpc(bench.chain.url, "anvil_setCode", [to, code])
      await mine(bench)
      const next = preflight < reverting ? holdAnswer(bench, "eth_estimateGas") : undefined
      letGo()
      if (next !== undefined) ({ reached, letGo } = next)
    }
    return { answer: await answer, raw }
  }

  it("is looked at anew where the head is now", async () => {
    const { answer, raw } = await submittedAcross(2)
    assert.strictEqual(answer.status, 202)
    assert.strictEqual(timesSent(bench, raw), 1)
  })

  it("is refused when it reverts at each of three heads", async () => {
    const { answer, raw } = await submittedAcross(3)
    await assertProblem(answer, "SIMULATION_REVERTED")
    assert.strictEqual(timesSent(bench, raw), 0)
  })
})
