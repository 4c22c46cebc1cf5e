import { afterAll, assert, describe, it } from "vitest"
import { assertProblem } from "../support/Problem.ts"
import { startRelayBench, timesSent } from "../support/RelayBench.ts"
import { sendDirectly, signedPayment } from "../support/Relayed.ts"
import { submit } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

/** As if the node had come to know the transaction only after it was asked for it. */
const unseen = (times: number) =>
  bench.proxy.fault({
    method: "eth_getTransactionByHash",
    times,
    phase: "after",
    act: {
      kind: "rewrite",
      rewrite: ({ method }, result) => (method === "eth_getTransactionByHash" ? null : result)
    }
  })

describe("bytes that somebody else sent after the first look for them", () => {
  it("are monitored, and not refused for the nonce that they took", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    await sendDirectly(bench, raw)
    unseen(1)
    const answer = await submit(bench.service, owner, plan, body)
    assert.strictEqual(answer.status, 202)
    assert.strictEqual((await answer.json()).dispatch.status, "already-observed")
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("are refused where the node does not know them at the second look either", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    await sendDirectly(bench, raw)
    unseen(2)
    await assertProblem(await submit(bench.service, owner, plan, body), "NONCE_NOT_READY")
    assert.strictEqual(timesSent(bench, raw), 0)
  })
})
