/** The operator's bounds are on what is to leave: what was admitted, or what its chain has, is followed whatever it is. */
import { Either } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, describe, it } from "vitest"
import { boundFault } from "../../src/direct/Bounds.ts"
import { parseSignedTransaction } from "../../src/direct/SignedTransaction.ts"
import { bundled, bundleOf, courseOf, postBundle } from "../support/Bundles.ts"
import { callOf, stepOf } from "../support/PlannedCalls.ts"
import { plannedTransaction } from "../support/PlannedTransaction.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { endLease, rawOf, sendDirectly, signedPayment } from "../support/Relayed.ts"
import { testSettings } from "../support/Settings.ts"
import { signCall } from "../support/SignedCalls.ts"
import { refreshed, submit, submitted } from "../support/Submissions.ts"

const BOUNDS = {
  ttlSeconds: 300,
  maximumGas: 2_000_000n,
  maximumFeePerGas: 200_000_000_000n,
  maximumTransactionCost: 10n ** 18n,
  maximumRawBytes: 4_096,
  maximumAccessListItems: 3
}

const bench = await startRelayBench({ settings: { plans: BOUNDS } })
const stricter = await bench.replica({ plans: { ...BOUNDS, maximumGas: 100_000n } })

afterAll(async () => {
  await stricter.stop()
  await bench.stop()
})

describe("bytes over a bound", () => {
  it("are taken again once they were admitted", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })
    await submitted(bench.service, owner, plan, body)
    await endLease(bench, plan.id)
    const { dispatch } = await submitted(stricter, owner, plan, body)
    assert.strictEqual(dispatch.status, "submitted")
    assert.strictEqual(dispatch.count, 2)
    assert.strictEqual(timesSent(bench, raw), 2)
  })

  it("are refused while nobody has sent them, and followed once the wallet did", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    await assertProblem(await submit(stricter, owner, plan, body), "TRANSACTION_FEE_BOUND")
    await sendDirectly(bench, raw)
    const { dispatch } = await submitted(stricter, owner, plan, body)
    assert.strictEqual(dispatch.status, "already-observed")
    await mine(bench)
    assert.strictEqual(stepOf(await refreshed(stricter, owner, plan)).state, "confirmed")
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("are refused in a bundle before any item leaves, unless its chain has them", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const over = await signCall(bench, owner, callOf(plan, 1), { nonce: 1, gas: BOUNDS.maximumGas + 1n })
    const dear = [...items.slice(0, 1), { stepIndex: 1, rawSignedTransaction: over }]
    const problem = await assertProblem(await postBundle(bench.service, owner, plan, dear), "INVALID_BUNDLE")
    assert.deepInclude(problem.context, { item: 1, code: "TRANSACTION_FEE_BOUND", member: "gas" })
    assert.strictEqual(timesSent(bench, rawOf(items, 0)), 0)
    await sendDirectly(bench, rawOf(items, 0))
    const followed = await bundled(stricter, owner, plan, items.slice(0, 1))
    assert.deepStrictEqual(courseOf(followed), { complete: true, done: [0] })
    assert.strictEqual(timesSent(bench, rawOf(items, 0)), 0)
  })
})

describe("a gas limit that no transaction of its chain may have", () => {
  const faultOf = async (chainId: number, gas: bigint) => {
    const key = privateKeyToAccount(generatePrivateKey())
    const call = { chainId, to: key.address, data: "0x", value: "0" } as const
    const raw = await key.signTransaction({ ...plannedTransaction(call, 0), gas })
    return boundFault(Either.getOrThrow(parseSignedTransaction(raw, BOUNDS.maximumRawBytes)), testSettings())
  }

  it.each([1, 11_155_111])("is refused whatever the bound: %i", async chainId => {
    assert.isUndefined(await faultOf(chainId, 16_777_216n))
    const fault = await faultOf(chainId, 16_777_217n)
    assert.strictEqual(fault?._tag, "TRANSACTION_FEE_BOUND")
    assert.deepStrictEqual(fault?.context, { member: "gas", limit: "16777216" })
  })

  it("is taken on a chain that is not known to have the rule", async () => {
    assert.isUndefined(await faultOf(31_337, 16_777_217n))
  })
})
