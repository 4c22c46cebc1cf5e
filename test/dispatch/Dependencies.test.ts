import type { Hex } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { bundled, bundleOf, courseOf, type Item } from "../support/Bundles.ts"
import { mined } from "../support/Mined.ts"
import { callOf, payment, planned, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { holdAnswer, rawOf, reorg, sendDirectly } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { contractId } from "../support/Sandbox.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { refreshed, shown, submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const ESTIMATE = "eth_estimateGas"
const RECEIPT = "eth_getTransactionReceipt"

const blockers = ({ steps }: Plan) => steps.map(({ blockedBy }) => blockedBy)
const states = ({ steps }: Plan) => steps.map(({ state }) => state)

const submitItem = async (owner: Party, plan: Plan, items: ReadonlyArray<Item>, step: number) => {
  const raw = rawOf(items, step)
  await submitted(bench.service, owner, plan, { rawSignedTransaction: raw }, { step })
  await mined(bench, raw)
}

const DIAMOND = [[], [0], [0], [1, 2]]

describe("a diamond", () => {
  it("opens from its root to its end, and closes where a side of it leaves the chain", async () => {
    const { owner, plan, items } = await bundleOf(bench, DIAMOND)
    const refresh = () => refreshed(bench.service, owner, plan)
    assert.deepStrictEqual(blockers(plan), [[], [0], [0], [1, 2]])
    await submitItem(owner, plan, items, 0)
    await mine(bench)
    assert.deepStrictEqual(states(await refresh()), ["confirmed", "ready", "ready", "blocked"])
    await submitItem(owner, plan, items, 1)
    await submitItem(owner, plan, items, 2)
    await mine(bench, 1)
    assert.deepStrictEqual(states(await refresh()), ["confirmed", "confirmed", "confirmed", "ready"])
    await reorg(bench, 2)
    const closed = await refresh()
    assert.deepStrictEqual(states(closed), ["confirmed", "confirmed", "reorged", "blocked"])
    assert.deepStrictEqual(blockers(closed), [[], [], [], [2]])
    const early = await signCall(bench, owner, callOf(plan, 3))
    const refused = await submit(bench.service, owner, plan, { rawSignedTransaction: early }, { step: 3 })
    assert.deepStrictEqual((await assertProblem(refused, "DEPENDENCIES_UNCONFIRMED")).context, {
      blockedBy: [2]
    })
    await sendDirectly(bench, rawOf(items, 2))
    await mine(bench, 1)
    await submitItem(owner, plan, items, 3)
    await mine(bench)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
    assert.strictEqual(timesSent(bench, early), 0)
  })

  it("is carried by one bundle that is repeated until it is through", async () => {
    const { owner, plan, items } = await bundleOf(bench, DIAMOND)
    const idempotencyKey = `diamond-${plan.id}`
    const go = async () => courseOf(await bundled(bench.service, owner, plan, items, { idempotencyKey }))
    const stopped = { complete: false, code: "DEPENDENCIES_UNCONFIRMED" }
    assert.deepStrictEqual(await go(), { ...stopped, done: [0], stoppedAt: 1, remaining: [1, 2, 3] })
    await mine(bench)
    assert.deepStrictEqual(await go(), { ...stopped, done: [0, 1, 2], stoppedAt: 3, remaining: [3] })
    await mine(bench)
    assert.deepStrictEqual(await go(), { complete: true, done: [0, 1, 2, 3] })
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
    for (const { rawSignedTransaction } of items)
      assert.strictEqual(timesSent(bench, rawSignedTransaction), 1)
  })
})

describe("a predecessor that leaves the chain", () => {
  it("between preflight and claim makes the claim refuse", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], [0]])
    await submitItem(owner, plan, items, 0)
    await mine(bench, 1)
    assert.strictEqual(stepOf(await refreshed(bench.service, owner, plan), 1).state, "ready")
    const estimate = holdAnswer(bench, ESTIMATE)
    const answering = submit(
      bench.service,
      owner,
      plan,
      { rawSignedTransaction: rawOf(items, 1) },
      { step: 1 }
    )
    await estimate.reached
    await reorg(bench, 2)
    assert.strictEqual(stepOf(await refreshed(bench.service, owner, plan)).state, "reorged")
    estimate.letGo()
    const { context } = await assertProblem(await answering, "DEPENDENCIES_UNCONFIRMED")
    assert.deepStrictEqual(context, { blockedBy: [0] })
    assert.strictEqual(timesSent(bench, rawOf(items, 1)), 0)
    assert.notProperty(stepOf(await shown(bench.service, owner, plan), 1), "transaction")
  })

  it("loses the depth that satisfied it when fewer blocks are above it", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], [0]])
    await submitItem(owner, plan, items, 0)
    await mine(bench, 1)
    assert.deepStrictEqual(states(await refreshed(bench.service, owner, plan)), ["confirmed", "ready"])
    await rpc(bench.chain.url, "anvil_rollback", [1])
    assert.deepStrictEqual(states(await refreshed(bench.service, owner, plan)), ["confirming", "blocked"])
    const answer = await submit(
      bench.service,
      owner,
      plan,
      { rawSignedTransaction: rawOf(items, 1) },
      { step: 1 }
    )
    await assertProblem(answer, "DEPENDENCIES_UNCONFIRMED")
  })
})

/** The word of the Pay event that holds the amount, counted in hexadecimal digits. */
const AMOUNT = { from: 2 + 2 * 64, to: 2 + 3 * 64 }

const withAmount = (data: string, amount: bigint) =>
  `${data.slice(0, AMOUNT.from)}${amount.toString(16).padStart(64, "0")}${data.slice(AMOUNT.to)}`

interface RawReceipt {
  readonly logs: ReadonlyArray<{ readonly address: string; readonly data: string }>
}

const receiptOf = (raw: Hex): Promise<RawReceipt> => rpc(bench.chain.url, RECEIPT, [hashOf(raw)])

describe("the effects of a predecessor", () => {
  const seenAs = async (change: (receipt: RawReceipt, terminal: string) => RawReceipt) => {
    const { owner, plan, items } = await bundleOf(bench, [[], [0]])
    await submitItem(owner, plan, items, 0)
    await mine(bench)
    const receipt = change(await receiptOf(rawOf(items, 0)), callOf(plan).to.toLowerCase())
    bench.proxy.fault({ method: RECEIPT, phase: "after", times: 2, act: { kind: "result", result: receipt } })
    const found = await refreshed(bench.service, owner, plan)
    const body = { rawSignedTransaction: rawOf(items, 1) }
    const answer = await submit(bench.service, owner, plan, body, { step: 1 })
    bench.proxy.clearFaults()
    return { found, answer, raw: rawOf(items, 1) }
  }

  it("block when they contradict the plan", async () => {
    const { found, answer, raw } = await seenAs(({ logs, ...receipt }, terminal) => ({
      ...receipt,
      logs: logs.map(log => (log.address === terminal ? { ...log, data: withAmount(log.data, 7n) } : log))
    }))
    assert.strictEqual(stepOf(found).state, "confirmed")
    const { status, reason } = stepOf(found).semantic ?? assert.fail("no verdict")
    assert.deepStrictEqual([status, reason], ["unknown", "the Pay event has another amount"])
    assert.strictEqual(found.status, "pending")
    assert.strictEqual(stepOf(found, 1).state, "blocked")
    await assertProblem(answer, "DEPENDENCIES_UNCONFIRMED")
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("block while they are unknown", async () => {
    const { found, answer, raw } = await seenAs(receipt => ({ ...receipt, logs: [] }))
    assert.strictEqual(stepOf(found).semantic?.status, "unknown")
    assert.strictEqual(stepOf(found, 1).state, "blocked")
    await assertProblem(answer, "DEPENDENCIES_UNCONFIRMED")
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("satisfy when nothing models them", async () => {
    const owner = await newPayer(bench)
    const approval = {
      chainId: 31337,
      contractId: contractId(bench.manifest, "JBProjects"),
      function: "setApprovalForAll(address,bool)",
      args: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", true]
    }
    const pay = payment(bench, owner.key.address, { dependsOn: [0] })
    const plan = await planned(bench, owner, { calls: [approval, pay] })
    const first = await signCall(bench, owner, callOf(plan))
    await submitted(bench.service, owner, plan, { rawSignedTransaction: first })
    await mine(bench)
    const found = await refreshed(bench.service, owner, plan)
    assert.strictEqual(stepOf(found).semantic?.status, "unmodeled")
    assert.strictEqual(stepOf(found, 1).state, "ready")
    const next = await signCall(bench, owner, callOf(plan, 1))
    await submitted(bench.service, owner, plan, { rawSignedTransaction: next }, { step: 1 })
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
  })
})
