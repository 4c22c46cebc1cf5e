/** A sent operation's execution is found by its chain alone: without a bundler, after reorganisations, whoever had it executed. */
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { ANYBODY, confirm, leave } from "../sponsorship/support/Executing.ts"
import { LOOKS } from "../support/LookedOften.ts"
import { payment, stepOf } from "../support/PlannedCalls.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { sqlOn } from "../support/Sql.ts"
import { sweep } from "../support/Sweeps.ts"
import { workerOf } from "../support/Worker.ts"
import {
  bundleOf,
  execute,
  look,
  makeDue,
  newWallet,
  record,
  type SentOperation,
  sentOperation,
  shownOperation
} from "./support/Sent.ts"

/** Of the development accounts, as ANYBODY is. */
const OTHER = "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc"

const bench = await startRelayBench()
const workers = [workerOf(bench), workerOf(bench)]

afterAll(async () => {
  for (const worker of workers) await worker.dispose()
  await bench.stop()
})
afterEach(() => bench.proxy.clearFaults())

/** So many blocks that a search that found nothing would go on behind them. */
const SEARCHED_ANEW = 600

const seen = async (made: SentOperation) => {
  const { externalExecution, semantic } = stepOf(await look(bench, made))
  return {
    state: externalExecution?.state,
    hash: externalExecution?.transactionHash,
    reason: semantic?.reason
  }
}

const stateOf = async (made: SentOperation) => (await seen(made)).state

describe("an execution", () => {
  it.each(["unknown", null] as const)(
    "is found although nobody knows whether it arrived: %s",
    async outcome => {
      const made = await sentOperation(bench, { outcome })
      const hash = await execute(bench, [made])
      await confirm(bench)
      assert.deepStrictEqual(await seen(made), { state: "confirmed", hash, reason: undefined })
    }
  )

  it("is found by one of two replicas' sweeps", async () => {
    const made = await sentOperation(bench)
    await execute(bench, [made])
    await confirm(bench)
    await makeDue(bench, made)
    const swept = await Promise.all(workers.map(worker => worker.runPromise(sweep)))
    assert.strictEqual(swept.filter(count => count > 0).length, 1)
    const [row] = await sqlOn(bench.service.databaseUrl, "SELECT observed FROM plan_steps WHERE plan = $1", [
      made.plan.id
    ])
    assert.strictEqual(row?.observed, "confirmed")
  })

  it("of some steps says nothing of the others of their plan", async () => {
    const pay = payment(bench, ANYBODY)
    const made = await sentOperation(bench, { calls: [pay, pay], steps: [1] })
    await execute(bench, [made])
    await confirm(bench)
    const { steps } = await look(bench, made)
    assert.deepStrictEqual(
      steps.map(({ state }) => state),
      ["ready", "confirmed"]
    )
  })
})

it("the operations of several wallets are looked for by the same questions", async () => {
  const made: Array<SentOperation> = []
  while (made.length < 4) made.push(await sentOperation(bench))
  const swept = async () => {
    for (const each of made) await makeDue(bench, each)
    const before = bench.proxy.records.length
    await workers[0]?.runPromise(sweep)
    return bench.proxy.records.slice(before).map(({ method }) => method)
  }
  const asked = await swept()
  assert.isBelow(asked.filter(method => method === "eth_getLogs").length, made.length)
  assert.isBelow(asked.filter(method => method === "eth_call").length, made.length)
  assert.notInclude(asked, "eth_getCode")
  const executed: Array<readonly [SentOperation, `0x${string}`]> = []
  for (const each of made) executed.push([each, await execute(bench, [each])])
  await confirm(bench)
  await swept()
  for (const [each, hash] of executed)
    assert.deepStrictEqual(await seen(each), { state: "confirmed", hash, reason: undefined })
})

describe("a reorganisation", () => {
  it.each([1, 2, 8, 32, 64])(
    "of %i blocks displaces it, and another bundle brings it again",
    async blocks => {
      const made = await sentOperation(bench)
      const first = await execute(bench, [made])
      if (blocks > 1) await mine(bench, blocks - 1)
      assert.match(String(await stateOf(made)), /^confirm/)
      await leave(bench, first)
      assert.strictEqual(await stateOf(made), "reorged")
      const other = await sentOperation(bench)
      const again = await execute(bench, [other, made])
      await confirm(bench)
      assert.deepStrictEqual(await seen(made), { state: "confirmed", hash: again, reason: undefined })
      assert.strictEqual((await seen(other)).hash, again)
    }
  )

  it("after which the very transaction comes again and fails leaves what another bundle did", async () => {
    const made = await sentOperation(bench)
    const first = await execute(bench, [made])
    const raw = await rpc(bench.chain.url, "eth_getRawTransactionByHash", [first])
    assert.strictEqual(await stateOf(made), "confirming")
    await leave(bench, first)
    assert.strictEqual(await stateOf(made), "reorged")
    const bundle = { from: OTHER, to: ENTRY_POINT, data: bundleOf([made]), gas: "0x1312d00" }
    const hash = await rpc(bench.chain.url, "eth_sendTransaction", [bundle])
    await rpc(bench.chain.url, "eth_sendRawTransaction", [raw])
    await confirm(bench)
    const { status } = await rpc(bench.chain.url, "eth_getTransactionReceipt", [first])
    assert.strictEqual(status, "0x0")
    assert.deepStrictEqual(await seen(made), { state: "confirmed", hash, reason: undefined })
  })
})

const noLogs = () =>
  bench.proxy.fault({
    method: "eth_getLogs",
    times: 1_000,
    phase: "after",
    act: { kind: "error", code: -32_005, message: "no logs here" }
  })

const hint = (made: SentOperation, hash: string) =>
  sqlOn(bench.service.databaseUrl, "UPDATE user_operations SET hint = $2 WHERE id = $1", [made.id, hash])

describe("what a bundler says", () => {
  it("is where a node without logs is looked at, and counts where the receipt tells of the operation", async () => {
    const made = await sentOperation(bench)
    const other = await sentOperation(bench)
    noLogs()
    const [own, others] = [await execute(bench, [made]), await execute(bench, [other])]
    await confirm(bench)
    assert.strictEqual(await stateOf(made), "pending")
    for (const hash of [others, `0x${"ab".repeat(32)}`]) {
      await hint(made, hash)
      assert.strictEqual(await stateOf(made), "pending")
    }
    await hint(made, own)
    assert.deepStrictEqual(await seen(made), { state: "confirmed", hash: own, reason: undefined })
  })
})

const isWiderThan =
  (blocks: number) =>
  ({ method, params: [filter] }: Question): boolean => {
    const blockOf = (name: string) => Number(Reflect.get(Object(filter), name))
    return method === "eth_getLogs" && blockOf("toBlock") - blockOf("fromBlock") > blocks
  }

const TOO_LARGE = { kind: "error", code: -32_005, message: "the range is too large" } as const

const noLogsAnywhere = () =>
  bench.proxy.fault({
    method: "eth_getLogs",
    times: 1_000,
    phase: "after",
    act: { kind: "rewrite", rewrite: ({ method }, result) => (method === "eth_getLogs" ? [] : result) }
  })

describe("an execution of which the node tells no logs", () => {
  it("is not told to be another's, and is found once it tells of them", async () => {
    const made = await sentOperation(bench)
    const hash = await execute(bench, [made])
    await mine(bench, SEARCHED_ANEW)
    noLogsAnywhere()
    for (let looks = 0; looks < 2; looks++)
      assert.deepInclude(await seen(made), { state: "unknown", reason: "OPERATION_NONCE_PASSED" })
    const { nextAction } = await shownOperation(bench, made)
    assert.deepInclude(nextAction, { kind: "wait" })
    assert.match(nextAction.reason ?? "", /may have been executed/)
    bench.proxy.clearFaults()
    assert.deepStrictEqual(await seen(made), { state: "confirmed", hash, reason: undefined })
  })

  it("is found once it tells of them, also where many looks went past its block", async () => {
    const made = await sentOperation(bench)
    const hash = await execute(bench, [made])
    await mine(bench, SEARCHED_ANEW)
    const within = (calls: ReadonlyArray<Question>) => calls.some(isWiderThan(10))
    bench.proxy.fault({ method: "eth_getLogs", times: 1_000, phase: "after", within, act: TOO_LARGE })
    noLogsAnywhere()
    let last = await seen(made)
    for (let looks = 0; last.reason === undefined && looks < 30; looks++) last = await seen(made)
    assert.strictEqual(last.reason, "OPERATION_NONCE_PASSED")
    for (let looks = 0; looks < 12; looks++)
      assert.strictEqual((await seen(made)).reason, "OPERATION_NONCE_PASSED")
    const { searched_block, since_block } = await record(bench, made)
    assert.isAbove(Number(searched_block) - Number(since_block), SEARCHED_ANEW - 100)
    await sqlOn(bench.service.databaseUrl, "UPDATE plan_steps SET sights = $2 WHERE plan = $1", [
      made.plan.id,
      JSON.stringify({ count: LOOKS - 1, at: 0 })
    ])
    await makeDue(bench, made)
    await workers[0]?.runPromise(sweep)
    assert.isNull((await record(bench, made)).searched_block)
    bench.proxy.clearFaults()
    assert.deepStrictEqual(await seen(made), { state: "confirmed", hash, reason: undefined })
  })
})

it("a refresh of an operation of 16 calls takes four round trips of their chain", async () => {
  const calls = Array.from({ length: 16 }, () => payment(bench, ANYBODY))
  const made = await sentOperation(bench, { calls, wallet: await newWallet(bench) })
  await execute(bench, [made])
  await confirm(bench)
  const before = bench.proxy.roundTrips()
  const { steps } = await look(bench, made)
  assert.isAtMost(bench.proxy.roundTrips() - before, 4)
  assert.deepStrictEqual([...new Set(steps.map(({ state }) => state))], ["confirmed"])
})

/** Last: what is so deep below the head, this node no longer takes back. */
it("an execution is found far behind the head, from the place where the search was left", async () => {
  const made = await sentOperation(bench, { validFor: 100_000 })
  const within = (calls: ReadonlyArray<Question>) => calls.some(isWiderThan(100))
  bench.proxy.fault({ method: "eth_getLogs", times: 1_000, phase: "before", within, act: TOO_LARGE })
  await mine(bench, 700)
  assert.strictEqual(await stateOf(made), "pending")
  const { searched_block, since_block } = await record(bench, made)
  assert.isAbove(Number(searched_block) - Number(since_block), 300)
  bench.proxy.clearFaults()
  await execute(bench, [made])
  await confirm(bench)
  assert.strictEqual(await stateOf(made), "confirmed")
})
