/** An operation that the bundler dropped has a nonce by which the wallet's owners had another one carried: that one is followed, and the dropped one ends. */
import { afterAll, assert, describe, it } from "vitest"
import { assertProblem } from "../support/Problem.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { carriedByAnybody, signedOperation } from "./support/Carried.ts"
import {
  envelopeOf,
  preparedOperation,
  sendOperation,
  shownOperation,
  startOperatingBench,
  timesSent,
  walletPlan
} from "./support/Operating.ts"
import { SEND } from "./support/Sending.ts"

const bench = await startOperatingBench()
const { service } = bench

afterAll(() => bench.stop())

const BLOCKS_TO_FINALITY = 70

describe("an operation that somebody else had carried by the nonce of one that was sent and dropped", () => {
  const carriedBeside = async () => {
    const made = await signedOperation(bench)
    const { bound, operation, signature } = made
    const dropped = await preparedOperation(service, bound.owner, await walletPlan(bench, bound))
    assert.strictEqual(dropped.operation.nonce, operation.operation.nonce)
    bench.bundling.fault({ method: SEND, phase: "before", act: { kind: "reset" } })
    const sent = await sendOperation(service, bound.owner, dropped, await envelopeOf(dropped, bound.owners))
    assert.strictEqual(sent.status, 202, await sent.clone().text())
    const hash = await carriedByAnybody(bench, { ...made, owner: bound.owner })
    return {
      bound,
      operation,
      dropped,
      hash,
      send: () => sendOperation(service, bound.owner, operation, signature)
    }
  }

  it("is taken up once that is final, which ends the other one", async () => {
    const { bound, operation, dropped, hash, send } = await carriedBeside()
    const early = await assertProblem(await send(), "USER_OPERATION_NONCE_RESERVED")
    assert.include(early.detail, "not final yet")
    assert.isTrue(early.retryable)
    await mine(bench, BLOCKS_TO_FINALITY)
    const answer = await send()
    assert.strictEqual(answer.status, 202, await answer.clone().text())
    const after = await shownOperation(service, bound.owner, operation)
    assert.deepStrictEqual([after.state, after.observation?.transactionHash], ["confirmed", hash])
    assert.strictEqual(timesSent(bench, operation), 1)
    for (const _ of [1, 2]) {
      const { state, observation, nextAction } = await shownOperation(service, bound.owner, dropped)
      assert.deepStrictEqual(
        [state, observation?.reason, nextAction.kind],
        ["unknown", "OPERATION_NONCE_CONSUMED", "none"]
      )
    }
  })

  it("is not where its node has another block at its execution's height", async () => {
    const { send } = await carriedBeside()
    await mine(bench, BLOCKS_TO_FINALITY)
    const rewrite = ({ method }: Question, result: unknown) =>
      method === "eth_getLogs" && Array.isArray(result)
        ? result.map(log => ({ ...log, blockHash: `0x${"11".repeat(32)}` }))
        : result
    bench.proxy.fault({
      ...{ method: "eth_getLogs", times: 100, phase: "after" },
      act: { kind: "rewrite", rewrite }
    })
    const answer = await send()
    bench.proxy.clearFaults()
    await assertProblem(answer, "USER_OPERATION_NONCE_RESERVED")
  })
})
