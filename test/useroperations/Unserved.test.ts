/** What no bundler is there to take is not claimed, for it is sent once for ever: it leaves once one is there. */
import { afterAll, assert, it } from "vitest"
import { assertProblem } from "../support/Problem.ts"
import { startOperatingBench, timesSent } from "./support/Operating.ts"
import { sendingOn } from "./support/Sending.ts"

const bench = await startOperatingBench()
const { bundling } = bench
const { prepared, send, isUntouched } = sendingOn(bench)

afterAll(() => bench.stop())

it.each([
  ["is not there", { kind: "reset" }, "BUNDLER_UNAVAILABLE"],
  ["serves another chain", { kind: "result", result: "0x1" }, "BUNDLER_INVALID_RESPONSE"]
] as const)(
  "an operation whose bundler %s is refused, and is sent when it is asked for again",
  async (_, act, code) => {
    const one = await prepared()
    const replica = await bench.replica()
    bundling.fault({ method: "eth_chainId", phase: "before", act })
    const problem = await assertProblem(await send(one, {}, replica), code)
    assert.isTrue(problem.retryable)
    await isUntouched(one)
    const answer = await send(one, {}, replica)
    assert.strictEqual(answer.status, 202, await answer.clone().text())
    assert.strictEqual(timesSent(bench, one.operation), 1)
    await replica.stop()
  }
)
