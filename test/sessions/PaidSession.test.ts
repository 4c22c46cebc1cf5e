/** Who pays for a session's operations is what its policy says, whatever the service has. */
import { Redacted } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import stack from "../../schema/execution/stack.json" with { type: "json" }
import { assertProblem } from "../support/Problem.ts"
import { startRecordingProxy } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { testSettings } from "../support/Settings.ts"
import { until } from "../support/Until.ts"
import { startOperatingBench } from "../useroperations/support/Operating.ts"
import {
  askSessionOperation,
  executedByBundler,
  type LiveSession,
  liveSession,
  paymentPlan,
  sentByKey,
  sessionOperationOf,
  shownOperationOf
} from "./support/Operated.ts"

const bench = await startOperatingBench()
const { bundler, bundling, chain, sandbox } = bench

const paymaster = await startRecordingProxy({ upstream: bundler.paymasterUrl })

const service = await bench.replica({
  userOperations: {
    ...testSettings().userOperations,
    bundlers: [{ chainId: 31_337, urls: [Redacted.make(bundling.url)] }],
    paymasters: [{ chainId: 31_337, url: Redacted.make(paymaster.url), context: Redacted.make({}) }]
  }
})
/** Whose chain has a paymaster. */
const paying = { ...bench, service }

afterAll(async () => {
  await service.stop()
  await paymaster.stop()
  await bench.stop()
})

const [pinned = assert.fail("no paymaster")] = stack.paymasters
const DATA_BYTES = 77

const paidSession = (length = DATA_BYTES): Promise<LiveSession> =>
  liveSession(bench, { gas: { paymaster: pinned.address, paymasterDataLength: length } })

describe("a session whose paymaster pays", { timeout: 120_000 }, () => {
  it("has its operations paid, of a wallet that has nothing else", async () => {
    const live = await paidSession()
    const operation = await sessionOperationOf(paying, live, { amount: 7n })
    const { operation: asked } = operation
    assert.strictEqual(operation.gasPolicyId, "paymaster:31337")
    assert.strictEqual("paymaster" in asked ? String(asked.paymaster) : "", pinned.address)
    await rpc(chain.url, "anvil_setBalance", [live.wallet.address, "0x7"])
    await sentByKey(paying, live, operation)
    await executedByBundler(bench, operation)
    await mine(bench)
    const shown = await until(
      () => shownOperationOf(paying, live.bot, operation),
      ({ state }) => state === "confirmed"
    )
    assert.strictEqual(shown.observation?.semantic?.status, "verified")
    assert.strictEqual(await sandbox.client.getBalance({ address: live.wallet.address }), 0n)
  })

  it("has none that its paymaster signs for with more data or less, and none where there is no paymaster", async () => {
    for (const length of [DATA_BYTES - 1, DATA_BYTES + 1]) {
      const live = await paidSession(length)
      const plan = await paymentPlan(bench, live)
      const { context } = await assertProblem(
        await askSessionOperation(paying, live, plan),
        "SESSION_CALL_REFUSED"
      )
      assert.deepStrictEqual(context, { rule: 25 })
    }
    const live = await paidSession()
    const plan = await paymentPlan(bench, live)
    await assertProblem(await askSessionOperation(bench, live, plan), "PAYMASTER_UNAVAILABLE")
  })
})

describe("gas beyond what an operation can hold", { timeout: 120_000 }, () => {
  it("is refused as that, whoever says it and whatever the session has", async () => {
    const live = await paidSession()
    const plan = await paymentPlan(bench, live)
    paymaster.fault({
      method: "pm_getPaymasterStubData",
      phase: "after",
      act: { kind: "rewrite", rewrite: (_, told) => ({ ...Object(told), isFinal: true }) }
    })
    bundling.fault({
      method: "eth_estimateUserOperationGas",
      phase: "after",
      act: {
        kind: "rewrite",
        rewrite: (_, told) => ({ ...Object(told), verificationGasLimit: `0x${"f".repeat(32)}` })
      }
    })
    const { context } = await assertProblem(
      await askSessionOperation(paying, live, plan),
      "USER_OPERATION_GAS_BOUND"
    )
    assert.strictEqual(context?.kind, "verification")
  })
})

describe("a session whose wallet pays", { timeout: 120_000 }, () => {
  it("is paid for by no paymaster, though the chain has one", async () => {
    const live = await liveSession(bench)
    const operation = await sessionOperationOf(paying, live)
    assert.strictEqual(operation.gasPolicyId, "self-funded")
    assert.notProperty(operation.operation, "paymaster")
    await sentByKey(paying, live, operation)
    await executedByBundler(bench, operation)
  })
})
