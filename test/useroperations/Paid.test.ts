/** An operation that a paymaster pays for, from its preparation to its proof: who paid has to be who was to pay. */
import { Redacted } from "effect"
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { OPERATION_TOPIC } from "../../src/useroperations/OperationEvents.ts"
import { manifest } from "../smartaccounts/support/Inspections.ts"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { payment, stepOf } from "../support/PlannedCalls.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { testSettings } from "../support/Settings.ts"
import { sqlOn } from "../support/Sql.ts"
import { shown } from "../support/Submissions.ts"
import { until } from "../support/Until.ts"
import {
  boundWallet,
  envelopeOf,
  preparedOperation,
  sendOperation,
  startOperatingBench,
  timesSent,
  walletPlan
} from "./support/Operating.ts"
import { sendingOn } from "./support/Sending.ts"

const NATIVE = "0x000000000000000000000000000000000000EEEe"
const OTHER = `0x${"0".repeat(24)}${"bb".repeat(20)}`
const NOBODY = `0x${"0".repeat(64)}`

const bench = await startOperatingBench()
const { bundler, bundling, chain, proxy } = bench
const { executed, show, prepared: selfPaid, sent: sendSelfPaid } = sendingOn(bench)

const paying = await bench.replica({
  userOperations: {
    ...testSettings().userOperations,
    bundlers: [{ chainId: 31_337, urls: [Redacted.make(bundling.url)] }],
    paymasters: [{ chainId: 31_337, url: Redacted.make(bundler.paymasterUrl), context: Redacted.make({}) }]
  }
})

afterAll(async () => {
  await paying.stop()
  await bench.stop()
})
afterEach(() => proxy.clearFaults())

const balanceOf = async (address: string) =>
  BigInt(await rpc(chain.url, "eth_getBalance", [address, "latest"]))

/** By the bundler, of a wallet that has nothing. */
const paidFor = async () => {
  const bound = await boundWallet(bench)
  const { owner, owners, wallet } = bound
  const args = ["2", NATIVE, "0", wallet.address, "0", "", "0x"]
  const calls = [payment(bench, wallet.address, { args, value: "0" })]
  const plan = await walletPlan(bench, bound, { calls })
  await rpc(chain.url, "anvil_setBalance", [wallet.address, "0x0"])
  const operation = await preparedOperation(paying, owner, plan)
  const signature = await envelopeOf(operation, owners)
  const answer = await sendOperation(paying, owner, operation, signature)
  const told = await answer.json()
  assert.strictEqual(answer.status, 202, JSON.stringify(told))
  await executed(operation.operation)
  await mine(bench)
  return { ...bound, plan, operation, told }
}

type Log = Readonly<Record<"topics", ReadonlyArray<string>>>

/** Receipts whose events of operations name this payer. */
const lieOfPayer = (topic: string) =>
  proxy.fault({
    method: "eth_getTransactionReceipt",
    times: 1_000,
    phase: "after",
    act: {
      kind: "rewrite",
      rewrite: ({ method }: Question, result) => {
        if (method !== "eth_getTransactionReceipt" || result === null) return undefined
        const logs: ReadonlyArray<Log> = Reflect.get(Object(result), "logs")
        const told = logs.map(log =>
          log.topics[0] === OPERATION_TOPIC
            ? { ...log, topics: log.topics.map((each, at) => (at === 3 ? topic : each)) }
            : log
        )
        return { ...Object(result), logs: told }
      }
    }
  })

const statesOf = async (one: Pick<Awaited<ReturnType<typeof paidFor>>, "owner" | "operation" | "plan">) => {
  const { state, observation, nextAction } = await show(one)
  const { semantic } = stepOf(await shown(bench.service, one.owner, one.plan))
  return [state, semantic?.status, observation?.reason, nextAction.kind]
}

const CONFIRMED = ["confirmed", "verified", undefined, "none"]
const DOUBTED = ["unknown", "unknown", "OPERATION_EVENT_DIFFERS", "wait"]

describe("an operation that a paymaster pays for", () => {
  it("is sent, executed and proved, and costs its wallet nothing", async () => {
    const one = await paidFor()
    const { wallet, operation, told } = one
    assert.strictEqual(told.gasPolicyId, "paymaster:31337")
    assert.strictEqual(told.state, "pending")
    await until(
      () => statesOf(one),
      ([state]) => state === "confirmed"
    )
    assert.deepStrictEqual(await statesOf(one), CONFIRMED)
    assert.strictEqual(timesSent(bench, operation), 1)
    assert.strictEqual(await balanceOf(wallet.address), 0n)
    const [row] = await sqlOn(
      bench.service.databaseUrl,
      "SELECT paymaster, actual_gas_cost > 0 AS has_cost FROM user_operations WHERE id = $1",
      [operation.id]
    )
    const [pinned] = manifest.pins.paymasters
    assert.deepStrictEqual(row, { paymaster: pinned?.address.toLowerCase(), has_cost: true })
    const { observation } = await show(one)
    const receipt = await rpc(chain.url, "eth_getTransactionReceipt", [observation?.transactionHash])
    const events = receipt.logs.filter(
      ({ address, topics }: Readonly<Record<"address" | "topics", string>>) =>
        address === ENTRY_POINT.toLowerCase() && topics[0] === OPERATION_TOPIC
    )
    assert.lengthOf(events, 1)
    assert.include(events[0].topics[3], pinned?.address.slice(2).toLowerCase())
  })

  it.each([
    ["another paymaster", OTHER],
    ["the wallet itself", NOBODY]
  ])("is not proved while its event says that it was paid by %s, and is after", async (_, payer) => {
    const one = await paidFor()
    lieOfPayer(payer)
    assert.deepStrictEqual(await statesOf(one), DOUBTED)
    proxy.clearFaults()
    assert.deepStrictEqual(await statesOf(one), CONFIRMED)
  })
})

it("an operation that its wallet pays for is not proved while its event names a paymaster", async () => {
  const one = await selfPaid()
  await sendSelfPaid(one)
  await executed(one.operation.operation)
  await mine(bench)
  lieOfPayer(OTHER)
  assert.deepStrictEqual(await statesOf(one), DOUBTED)
  proxy.clearFaults()
  assert.deepStrictEqual(await statesOf(one), CONFIRMED)
})
