/** A bundler that knows no words in the place of the chain's own: gas is calculated then, and suffices. */
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { mine } from "../support/RelayBench.ts"
import { until } from "../support/Until.ts"
import { startOperatingBench } from "../useroperations/support/Operating.ts"
import {
  executedByBundler,
  liveSession,
  sentByKey,
  sessionOperationOf,
  shownOperationOf
} from "./support/Operated.ts"

const bench = await startOperatingBench()
const { bundling } = bench
afterAll(() => bench.stop())
afterEach(() => bundling.clearFaults())

const ESTIMATE = "eth_estimateUserOperationGas"

describe("an estimation that does not look at the override", { timeout: 120_000 }, () => {
  it.each([
    ["because there is no such parameter", -32_602, "Invalid params"],
    [
      "because it is not heeded",
      -32_500,
      "UserOperation reverted during simulation with reason: AA23 reverted"
    ]
  ])("%s", async (_, code, message) => {
    const live = await liveSession(bench)
    const estimated = await sessionOperationOf(bench, live)
    bundling.fault({ method: ESTIMATE, times: 2, phase: "before", act: { kind: "error", code, message } })
    const operation = await sessionOperationOf(bench, live)
    const gasOf = ({ operation }: typeof estimated) =>
      [operation.callGasLimit, operation.verificationGasLimit, operation.preVerificationGas].map(Number)
    for (const [at, gas] of gasOf(operation).entries()) {
      const byBundler = gasOf(estimated)[at] ?? 0
      assert.isAbove(gas, byBundler * 0.75)
      assert.isBelow(gas, byBundler * 1.75)
    }
    await sentByKey(bench, live, operation)
    await executedByBundler(bench, operation)
    await mine(bench)
    await until(
      () => shownOperationOf(bench, live.bot, operation),
      ({ state }) => state === "confirmed"
    )
  })
})
