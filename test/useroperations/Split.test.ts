/** Where a node traces, the calls of one operation are told apart, and verified singly. */
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { confirm } from "../sponsorship/support/Executing.ts"
import { payment } from "../support/PlannedCalls.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { startRelayBench } from "../support/RelayBench.ts"
import { testSettings } from "../support/Service.ts"
import { execute, look, record, sentOperation } from "./support/Sent.ts"

const BENEFICIARY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const { userOperations } = testSettings(0, 0, "")
const bench = await startRelayBench({
  settings: { userOperations: { ...userOperations, traceBatches: true } }
})

afterAll(() => bench.stop())
afterEach(() => bench.proxy.clearFaults())

const pay = payment(bench, BENEFICIARY)

const executed = async (calls = [pay, pay, payment(bench, BENEFICIARY, { value: "1000" })]) => {
  const made = await sentOperation(bench, { calls })
  await execute(bench, [await sentOperation(bench), made, await sentOperation(bench)])
  await confirm(bench)
  return made
}

const statusesOf = async (made: Awaited<ReturnType<typeof executed>>) =>
  (await look(bench, made)).steps.map(({ semantic }) => semantic?.status)

/** Traces are told with other frames. */
const lieOfTraces = (edit: (text: string) => string) =>
  bench.proxy.fault({
    method: "debug_traceTransaction",
    times: 100,
    phase: "after",
    act: {
      kind: "rewrite",
      rewrite: ({ method }: Question, result) =>
        method === "debug_traceTransaction" ? JSON.parse(edit(JSON.stringify(result))) : undefined
    }
  })

describe("the calls of one operation", () => {
  it("are each verified by their own logs, the same twice too", async () => {
    const made = await executed()
    const { steps } = await look(bench, made)
    assert.deepStrictEqual(
      steps.map(({ state, semantic }) => `${state} ${semantic?.status}`),
      ["confirmed verified", "confirmed verified", "confirmed verified"]
    )
    const { scoped_count } = await record(bench, made)
    assert.isAtLeast(Number(scoped_count), 3)
  })

  it("are unknown where the node does not trace", async () => {
    bench.proxy.fault({
      method: "debug_traceTransaction",
      times: 100,
      phase: "before",
      act: { kind: "error", code: -32_601, message: "the method does not exist" }
    })
    assert.deepStrictEqual(await statusesOf(await executed()), ["unknown", "unknown", "unknown"])
  })

  it.each([
    ["a call of another value", (text: string) => text.replaceAll('"value":"0x3e8"', '"value":"0x3e9"')],
    ["logs of other data", (text: string) => text.replaceAll('"data":"0x0', '"data":"0x1')],
    ["logs without their places", (text: string) => text.replaceAll('"position"', '"elsewhere"')],
    ["no logs", (text: string) => text.replaceAll('"logs"', '"elsewhere"')]
  ])("are unknown while a trace shows %s", async (_, edit) => {
    const made = await executed()
    lieOfTraces(edit)
    assert.deepStrictEqual(await statusesOf(made), ["unknown", "unknown", "unknown"])
    bench.proxy.clearFaults()
    assert.deepStrictEqual(await statusesOf(made), ["verified", "verified", "verified"])
  })
})
