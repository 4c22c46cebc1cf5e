/** What became of a sent operation is proved by its chain alone, in whatever bundle it was executed. */
import { afterAll, afterEach, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { confirm } from "../sponsorship/support/Executing.ts"
import { hopelessPayment, payment, stepOf } from "../support/PlannedCalls.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import {
  execute,
  executeInCreation,
  look,
  newWallet,
  record,
  type SentOperation,
  sentOperation,
  shownOperation,
  signedOperation
} from "./support/Sent.ts"

/** More than a local chain's two epochs. */
const FINAL_BLOCKS = 70
const BENEFICIARY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const bench = await startRelayBench()

afterAll(() => bench.stop())
afterEach(() => bench.proxy.clearFaults())

const seen = async (made: SentOperation, step = 0) => {
  const { state, semantic } = stepOf(await look(bench, made), step)
  return [state, semantic?.status, semantic?.reason]
}

const VERIFIED = ["confirmed", "verified", undefined]

const doubt = (reason: string) => ["confirmed", "unknown", reason]

describe("an operation is proved", () => {
  it("to have done its one call, as its wallet's", async () => {
    const made = await sentOperation(bench)
    assert.strictEqual(stepOf(await look(bench, made)).externalExecution?.state, "pending")
    const hash = await execute(bench, [made])
    assert.strictEqual(stepOf(await look(bench, made)).state, "confirming")
    await confirm(bench)
    const step = stepOf(await look(bench, made))
    assert.deepStrictEqual([step.state, step.semantic?.status], ["confirmed", "verified"])
    const about = { transport: "eip4337-user-operation", bindingId: made.id, chainId: 31337 } as const
    assert.deepStrictEqual(step.execution, { ...about, hash })
    assert.deepStrictEqual(step.externalExecution, { ...about, transactionHash: hash, state: "confirmed" })
    const { observed_block, scoped_count, actual_gas_cost } = await record(bench, made)
    assert.strictEqual(observed_block, step.receipt?.blockHash)
    const { state, observation, nextAction } = await shownOperation(bench, made)
    assert.deepStrictEqual(
      [state, observation?.transactionHash, nextAction.kind],
      ["confirmed", hash, "none"]
    )
    assert.strictEqual(observation?.scopedLogs?.count, scoped_count)
    assert.strictEqual(observation?.actualGasCost, actual_gas_cost)
    assert.isAbove(Number(scoped_count), 0)
    assert.isAbove(Number(actual_gas_cost), 0)
  })

  it("to have failed where its call did, though its transaction succeeded, and for good once that is final", async () => {
    const made = await sentOperation(bench, { calls: [hopelessPayment(bench, BENEFICIARY)] })
    await execute(bench, [made])
    await confirm(bench)
    const { state, semantic, receipt } = stepOf(await look(bench, made))
    assert.deepStrictEqual([state, receipt?.status], ["reverted", "reverted"])
    assert.deepInclude(semantic, { status: "failed", verifier: "entry-point" })
    const failed = await shownOperation(bench, made)
    assert.strictEqual(failed.state, "reverted")
    assert.match(failed.nextAction.reason ?? "", /in a block that is not final yet/)
    await mine(bench, FINAL_BLOCKS)
    await look(bench, made)
    assert.match((await shownOperation(bench, made)).nextAction.reason ?? "", /^its calls failed for good/)
  })

  it("of several calls to be executed, and of none that it did what it should", async () => {
    const pay = payment(bench, BENEFICIARY)
    const made = await sentOperation(bench, { calls: [pay, pay] })
    await execute(bench, [made])
    await confirm(bench)
    for (const step of [0, 1])
      assert.deepStrictEqual(await seen(made, step), doubt("SEVERAL_CALLS_IN_OPERATION"))
    const { state, observation } = await shownOperation(bench, made)
    assert.deepStrictEqual([state, observation?.reason], ["confirmed", "SEVERAL_CALLS_IN_OPERATION"])
  })

  it("by its own logs in a bundle of several, where the others pay the same and one of them fails", async () => {
    const made = await Promise.all([
      sentOperation(bench),
      sentOperation(bench, { calls: [hopelessPayment(bench, BENEFICIARY)] }),
      sentOperation(bench)
    ])
    await execute(bench, made)
    await confirm(bench)
    const states = await Promise.all(made.map(async each => (await seen(each)).slice(0, 2)))
    assert.deepStrictEqual(states, [
      ["confirmed", "verified"],
      ["reverted", "failed"],
      ["confirmed", "verified"]
    ])
    const rows = await Promise.all(made.map(each => record(bench, each)))
    assert.lengthOf(new Set(rows.map(({ scoped_hash }) => scoped_hash)), 3)
    assert.lengthOf(new Set(rows.map(({ observed_block }) => observed_block)), 1)
  })

  it("in the second of two bundles of one transaction that creates a contract", async () => {
    const [first, second] = [await sentOperation(bench), await sentOperation(bench)]
    await executeInCreation(bench, [[first], [second]])
    await confirm(bench)
    assert.deepStrictEqual(await seen(first), VERIFIED)
    assert.deepStrictEqual(await seen(second), VERIFIED)
  })

  it("among 128 operations of a bundle", async () => {
    const wallet = await newWallet(bench)
    const nothing: Plan["calls"] = [
      {
        ...{ chainId: 31337, to: BENEFICIARY, data: "0x", value: "0", label: "", dependsOn: [] },
        decoded: { contractId: "", abiHash: "", function: "", args: [] }
      }
    ]
    const others = await Promise.all(
      Array.from({ length: 127 }, (_, nonce) =>
        signedOperation(bench, wallet, nothing, { nonce: BigInt(nonce) })
      )
    )
    const made = await sentOperation(bench)
    await rpc(bench.chain.url, "evm_setBlockGasLimit", ["0x5f5e100"])
    await execute(bench, [...others.slice(0, 77), made, ...others.slice(77)], 60_000_000)
    await confirm(bench)
    assert.deepStrictEqual(await seen(made), VERIFIED)
  })
})

/** With other code at an address while this operation is executed. */
const executedWith = async (made: SentOperation, address: string) => {
  const code = await rpc(bench.chain.url, "eth_getCode", [address, "latest"])
  await rpc(bench.chain.url, "anvil_setCode", [address, `${code}00`])
  await execute(bench, [made])
  await confirm(bench)
  await rpc(bench.chain.url, "anvil_setCode", [address, code])
}

type Log = Readonly<Record<string, unknown>>

/** Receipts are told with other logs. */
const lieOfLogs = (edit: (logs: ReadonlyArray<Log>) => ReadonlyArray<Log>) =>
  bench.proxy.fault({
    method: "eth_getTransactionReceipt",
    times: 1_000,
    phase: "after",
    act: {
      kind: "rewrite",
      rewrite: ({ method }: Question, result) =>
        method === "eth_getTransactionReceipt" && result !== null
          ? { ...Object(result), logs: edit(Reflect.get(Object(result), "logs")) }
          : undefined
    }
  })

describe("an operation is not proved, which says so and never that it failed", () => {
  it.each([
    ["ENTRY_POINT_CODE_CHANGED", () => ENTRY_POINT],
    ["WALLET_CODE_CHANGED", ({ wallet }: SentOperation) => wallet.address]
  ])("where its block has other code: %s", async (reason, address) => {
    const made = await sentOperation(bench)
    await executedWith(made, address(made))
    assert.deepStrictEqual(await seen(made), doubt(reason))
  })

  it("where it cost more than it may", async () => {
    const made = await sentOperation(bench, { maximumCost: 1n })
    await execute(bench, [made])
    await confirm(bench)
    assert.deepStrictEqual(await seen(made), doubt("OPERATION_EVENT_DIFFERS"))
    const { state, observation } = await shownOperation(bench, made)
    assert.deepStrictEqual([state, observation?.reason], ["unknown", "OPERATION_EVENT_DIFFERS"])
  })

  it.each([
    ["RECEIPT_LOGS_UNORDERED", (logs: ReadonlyArray<Log>) => logs.toReversed()],
    ["RECEIPT_LOGS_UNORDERED", (logs: ReadonlyArray<Log>) => [...logs, ...logs.slice(-1)]],
    [
      "OPERATION_EVENT_NOT_ONE",
      (logs: ReadonlyArray<Log>) => [...logs, ...logs.slice(-1).map(log => ({ ...log, logIndex: "0xffff" }))]
    ],
    ["OPERATION_SCOPE_UNPROVED", (logs: ReadonlyArray<Log>) => logs.slice(-1)],
    [
      "RECEIPT_LOGS_TOO_MANY",
      (logs: ReadonlyArray<Log>) =>
        logs.map((log, at) => (at === 0 ? { ...log, data: `0x${"00".repeat(530_000)}` } : log))
    ]
  ])("while a node tells its logs differently, and is proved after: %s", async (reason, edit) => {
    const made = await sentOperation(bench)
    await execute(bench, [made])
    await confirm(bench)
    lieOfLogs(edit)
    assert.deepStrictEqual(await seen(made), doubt(reason))
    bench.proxy.clearFaults()
    assert.deepStrictEqual(await seen(made), VERIFIED)
  })

  it("while a node leaves its event out, before and after it was seen", async () => {
    const made = await sentOperation(bench)
    await execute(bench, [made])
    await confirm(bench)
    lieOfLogs(logs => logs.slice(0, -1))
    assert.strictEqual(stepOf(await look(bench, made)).externalExecution?.state, "pending")
    bench.proxy.clearFaults()
    assert.deepStrictEqual(await seen(made), VERIFIED)
    lieOfLogs(logs => logs.slice(0, -1))
    assert.deepStrictEqual(await seen(made), doubt("OPERATION_EVENT_NOT_ONE"))
  })

  it("while a node has the state of its block no more, which takes back nothing", async () => {
    const made = await sentOperation(bench)
    await execute(bench, [made])
    await confirm(bench)
    const forget = () =>
      bench.proxy.fault({
        method: "eth_getCode",
        times: 1_000,
        phase: "after",
        act: { kind: "error", code: -32_000, message: "missing trie node" }
      })
    forget()
    assert.deepStrictEqual(await seen(made), doubt("STATE_UNAVAILABLE"))
    bench.proxy.clearFaults()
    assert.deepStrictEqual(await seen(made), VERIFIED)
    forget()
    assert.deepStrictEqual(await seen(made), VERIFIED)
  })
})
