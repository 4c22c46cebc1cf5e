/** What a bundler says of where an operation went is a place to look at: it keeps nobody from finding by the chain alone what became of it. */
import { Redacted } from "effect"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { confirm } from "../sponsorship/support/Executing.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { type RecordingProxy, startRecordingProxy } from "../support/RecordingProxy.ts"
import { newPayer, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import type { RunningService } from "../support/Service.ts"
import { testSettings } from "../support/Settings.ts"
import {
  execute,
  newWallet,
  record,
  type SentOperation,
  sentOperation,
  shownOperation
} from "./support/Sent.ts"

const RECEIPT = "eth_getUserOperationReceipt"
const NOWHERE = `0x${"ab".repeat(32)}`

const bench = await startRelayBench()
const telling = await startRecordingProxy({ upstream: bench.chain.url })
const other = await startRecordingProxy({ upstream: bench.chain.url })

let service: RunningService

const askedOf = ({ records }: RecordingProxy) => records.filter(({ method }) => method === RECEIPT).length

beforeAll(async () => {
  service = await bench.replica({
    userOperations: {
      ...testSettings().userOperations,
      bundlers: [{ chainId: 31_337, urls: [telling, other].map(({ url }) => Redacted.make(url)) }]
    }
  })
})
afterAll(async () => {
  await service.stop()
  await telling.stop()
  await other.stop()
  await bench.stop()
})
afterEach(() => {
  for (const each of [telling, other, bench.proxy]) each.clearFaults()
})

const seen = (made: SentOperation) => shownOperation({ service }, made)

/** From the next question on. */
const tells = (by: RecordingProxy, { hash }: SentOperation, transactionHash: string, over: object = {}) =>
  by.fault({
    method: RECEIPT,
    times: 1_000,
    phase: "before",
    act: {
      kind: "result",
      result: { userOpHash: hash, success: true, logs: [], receipt: { transactionHash }, ...over }
    }
  })

/** One that has nothing to do with any operation, and was mined. */
const foreignTransaction = async () => {
  const { key } = await newPayer(bench)
  const [from] = await rpc(bench.chain.url, "eth_accounts", [])
  const sent = { from, to: key.address, value: "0x1" }
  const { transactionHash } = await rpc(bench.chain.url, "eth_sendTransactionSync", [sent])
  return String(transactionHash)
}

const foundIn = async (made: SentOperation, hash: string) => {
  const { state, observation } = await seen(made)
  assert.deepStrictEqual([state, observation?.transactionHash], ["confirmed", hash])
}

describe("an operation that a bundler says is elsewhere", () => {
  it.each([
    ["in a transaction that nobody knows", async () => NOWHERE],
    ["in a transaction of others", foreignTransaction],
    [
      "in the bundle of another operation",
      async () => {
        const another = await sentOperation(bench)
        return execute(bench, [another])
      }
    ]
  ])("%s, stays pending until its chain executes it, and is found there", async (_, placeOf) => {
    const made = await sentOperation(bench)
    tells(telling, made, await placeOf())
    for (let look = 0; look < 2; look++) {
      const { state, observation } = await seen(made)
      assert.deepStrictEqual([state, observation], ["pending", undefined])
    }
    const hash = await execute(bench, [made])
    await confirm(bench)
    await foundIn(made, hash)
  })

  it("each time in another place, is told of no change, and is found", async () => {
    const made = await sentOperation(bench)
    const { revision } = await seen(made)
    for (let place = 0; place < 4; place++) {
      telling.clearFaults()
      tells(telling, made, `0x${String(place).repeat(64)}`)
      assert.deepInclude(await seen(made), { state: "pending", revision })
    }
    const hash = await execute(bench, [made])
    await confirm(bench)
    await foundIn(made, hash)
  })

  it("in a transaction whose receipt is too large to be read, is found all the same, and so is whatever is looked for beside it", async () => {
    const [made, beside] = [await sentOperation(bench), await sentOperation(bench)]
    tells(telling, made, NOWHERE)
    assert.strictEqual((await seen(made)).state, "pending")
    assert.strictEqual((await record(bench, made)).hint, NOWHERE)
    const tooLarge = ({ method, params }: Question) =>
      method === "eth_getTransactionReceipt" && params[0] === NOWHERE
        ? { logs: "00".repeat(3_000_000) }
        : undefined
    bench.proxy.fault({
      method: "eth_getTransactionReceipt",
      times: 1_000,
      phase: "after",
      act: { kind: "rewrite", rewrite: tooLarge }
    })
    const hash = await execute(bench, [made, beside])
    await confirm(bench)
    await foundIn(made, hash)
    await foundIn(beside, hash)
  })

  it("by a receipt of another operation, is not looked for there", async () => {
    const made = await sentOperation(bench)
    tells(telling, made, NOWHERE, { userOpHash: NOWHERE })
    assert.strictEqual((await seen(made)).state, "pending")
    assert.isNull((await record(bench, made)).hint)
  })
})

describe("a bundler", () => {
  it("is not asked of what its chain shows", async () => {
    const made = await sentOperation(bench)
    const hash = await execute(bench, [made])
    await confirm(bench)
    const before = askedOf(telling)
    await foundIn(made, hash)
    assert.strictEqual(askedOf(telling), before)
  })

  it("that is silent keeps no other from being heard", async () => {
    const made = await sentOperation(bench)
    telling.fault({ method: RECEIPT, times: 1_000, phase: "before", act: { kind: "hang" } })
    tells(other, made, NOWHERE)
    assert.strictEqual((await seen(made)).state, "pending")
    assert.strictEqual((await record(bench, made)).hint, NOWHERE)
  })

  it.each([
    ["is silent", { kind: "hang" }],
    ["breaks off", { kind: "reset" }],
    ["fails", { kind: "status", status: 500 }]
  ] as const)("that %s changes nothing, and all is found by the search of the logs", async (_, act) => {
    for (const each of [telling, other]) each.fault({ method: RECEIPT, times: 1_000, phase: "before", act })
    const wallet = await newWallet(bench)
    const made = await sentOperation(bench, { wallet })
    assert.strictEqual((await seen(made)).state, "pending")
    const hash = await execute(bench, [made])
    await confirm(bench)
    await foundIn(made, hash)
  })
})

it("with its bundlers gone for good, what was sent is found, and what never can be is told to be over", async () => {
  const [made, never] = [await sentOperation(bench), await sentOperation(bench)]
  await telling.stop()
  await other.stop()
  const hash = await execute(bench, [made])
  await confirm(bench)
  await foundIn(made, hash)
  await rpc(bench.chain.url, "evm_setNextBlockTimestamp", [never.validUntil + 1])
  await rpc(bench.chain.url, "anvil_mine", ["0x50"])
  const { state, nextAction } = await seen(never)
  assert.deepStrictEqual([state, nextAction.kind], ["expired", "prepare-again"])
})
