import { afterAll, assert, describe, it } from "vitest"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { holdAnswer } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { signCall } from "../support/SignedCalls.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { submit } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

describe("a call that reverts at a head that is overtaken", () => {
  /** The target reverts until the call has been run so often; after each of them a block is mined. */
  const across = async (reverting: number, to: string, ask: () => Promise<Response>) => {
    const code = await rpc(bench.chain.url, "eth_getCode", [to, "latest"])
    await rpc(bench.chain.url, "anvil_setCode", [to, "0x5f5ffd"])
    const held = holdAnswer(bench, "eth_estimateGas")
    const answer = ask()
    let { reached, letGo } = held
    for (let run = 1; run <= reverting; run++) {
      await reached
      if (run === reverting) await rpc(bench.chain.url, "anvil_setCode", [to, code])
      await mine(bench)
      const next = run < reverting ? holdAnswer(bench, "eth_estimateGas") : undefined
      letGo()
      if (next !== undefined) ({ reached, letGo } = next)
    }
    return answer
  }

  const submittedAcross = async (reverting: number) => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    const answer = await across(reverting, callOf(plan).to, () =>
      submit(bench.service, owner, plan, { rawSignedTransaction: raw })
    )
    return { answer, raw }
  }

  const simulatedAcross = async (reverting: number) => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    return across(reverting, callOf(plan).to, () =>
      signedFetch(bench.service, owner, "GET", `/api/v1/plans/${plan.id}/steps/0/simulation`)
    )
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

  it("is simulated anew where the head is now", async () => {
    const answer = await simulatedAcross(2)
    const { blockNumber } = await answer.json()
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(BigInt(blockNumber), BigInt(await rpc(bench.chain.url, "eth_blockNumber", [])))
  })

  it("is told as reverting when a simulation reverts at each of three heads", async () => {
    await assertProblem(await simulatedAcross(3), "SIMULATION_REVERTED")
  })
})
