import { afterAll, assert, describe, it } from "vitest"
import { mined } from "../support/Mined.ts"
import { callOf, planned, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import type { ProxyFault } from "../support/RecordingProxy.ts"
import { mine, newPayer, timesSent } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import { refreshed, submit, submitted } from "../support/Submissions.ts"
import { startPatientStand } from "./matrix/Stand.ts"

const stand = await startPatientStand()

afterAll(() => stand.stop())

const RECEIPT = "eth_getTransactionReceipt"
const BLOCK = "eth_getBlockByNumber"
const SEND = "eth_sendRawTransaction"
const ALWAYS = 1_000

const prepared = async () => {
  const { bench } = stand
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner)
  const raw = await signCall(bench, owner, callOf(plan))
  return { owner, plan, raw, refresh: () => refreshed(bench.service, owner, plan) }
}

const relayed = async () => {
  const made = await prepared()
  await submitted(stand.bench.service, made.owner, made.plan, { rawSignedTransaction: made.raw })
  return made
}

const included = async () => {
  const made = await relayed()
  await mined(stand.bench, made.raw)
  return made
}

const retold = (method: string, how: (call: unknown, result: object) => unknown): ProxyFault => ({
  method,
  times: ALWAYS,
  phase: "after",
  act: {
    kind: "rewrite",
    rewrite: (call, result) => (call.method === method ? how(call.params[0], Object(result)) : undefined)
  }
})

const under = async <A>(faults: ReadonlyArray<ProxyFault>, act: () => Promise<A>): Promise<A> => {
  for (const fault of faults) stand.bench.proxy.fault(fault)
  const seen = await act()
  stand.bench.proxy.clearFaults()
  return seen
}

const watched = async (planId: string): Promise<boolean> => {
  const [row] = await stand.sql("SELECT sweep_at FROM plans WHERE id = $1", [planId])
  return row?.sweep_at !== null
}

describe("a transaction that a node accepted and dropped", () => {
  it("is unknown once its claim is over, and submitted again once the node holds it", async () => {
    const { bench, sql } = stand
    bench.proxy.fault({ method: SEND, phase: "before", act: { kind: "drop" } })
    const { plan, raw, refresh } = await relayed()
    assert.strictEqual(stepOf(await refresh()).state, "submitted")
    await sql("UPDATE dispatch_leases SET expires_at = 0 WHERE plan = $1", [plan.id])
    assert.strictEqual(stepOf(await refresh()).state, "unknown")
    await rpc(bench.chain.url, "evm_setAutomine", [false])
    await rpc(bench.chain.url, SEND, [raw])
    assert.strictEqual(stepOf(await refresh()).state, "submitted")
    await rpc(bench.chain.url, "evm_setAutomine", [true])
    await mine(bench)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})

describe("a receipt", () => {
  it("in a canonical block that does not hold the transaction is not believed", async () => {
    const { bench } = stand
    await mine(bench, 4)
    const { refresh } = await included()
    const head = Number(await rpc(bench.chain.url, "eth_blockNumber"))
    const older = await rpc(bench.chain.url, BLOCK, [`0x${(head - 3).toString(16)}`, false])
    const moved = { blockHash: older.hash, blockNumber: older.number }
    const lie = retold(RECEIPT, (_, result) => ({
      ...result,
      ...moved,
      logs: Reflect.get(result, "logs").map((log: object) => ({ ...log, ...moved }))
    }))
    assert.strictEqual(stepOf(await under([lie], refresh)).state, "unknown")
    assert.strictEqual(stepOf(await refresh()).state, "confirming")
  })

  it("does not leave the chain because the node changed to another one", async () => {
    const { bench } = stand
    const { refresh } = await included()
    await mine(bench, 1)
    assert.strictEqual(stepOf(await refresh()).state, "confirmed")
    const foreign: ProxyFault = {
      method: BLOCK,
      times: ALWAYS,
      phase: "after",
      act: {
        kind: "rewrite",
        rewrite: (call, result) => {
          if (call.method === "eth_chainId") return "0x1"
          if (call.method === RECEIPT) return null
          return call.method === BLOCK ? { ...Object(result), hash: `0x${"ab".repeat(32)}` } : undefined
        }
      }
    }
    assert.strictEqual(stepOf(await under([foreign], refresh)).state, "unknown")
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
  })
})

describe("what is final", () => {
  it("is not taken back by a node that is behind", async () => {
    const { bench } = stand
    const { raw, refresh } = await relayed()
    await mine(bench, 80)
    const before = await refresh()
    assert.strictEqual(stepOf(before).receipt?.finality, "finalized")
    const { blockNumber } = await rpc(bench.chain.url, RECEIPT, [hashOf(raw)])
    const own = await rpc(bench.chain.url, BLOCK, [blockNumber, false])
    const behind = retold(BLOCK, tag =>
      tag === "latest" ? own : String(tag).startsWith("0x") ? undefined : null
    )
    assert.deepStrictEqual(await under([behind], refresh), before)
  })

  it("ends the watch although the effects are unknown", async () => {
    const { bench, sql, recover } = stand
    const { plan, refresh } = await relayed()
    await mine(bench, 80)
    await refresh()
    await sql(
      `UPDATE plan_steps SET semantic = '{"status":"unknown","reason":"for the test"}',
         receipt = (receipt::jsonb || '{"finality":"latest"}')::json WHERE plan = $1`,
      [plan.id]
    )
    const manyLogs = retold(RECEIPT, (_, result) => {
      const [log] = Reflect.get(result, "logs")
      return { ...result, logs: [log, log] }
    })
    await under([manyLogs], () => recover(plan.id))
    const done = await sql("SELECT semantic->>'status' AS status FROM plan_steps WHERE plan = $1", [plan.id])
    assert.deepStrictEqual(done, [{ status: "unknown" }])
    assert.isFalse(await watched(plan.id))
  })

  it("is not what is only deep, where the node serves the tags", async () => {
    const { bench, recover } = stand
    const { plan } = await relayed()
    await mine(bench, 300)
    const genesis = await rpc(bench.chain.url, BLOCK, ["0x0", false])
    const slow = retold(BLOCK, tag => (tag === "safe" || tag === "finalized" ? genesis : undefined))
    await under([slow], () => recover(plan.id))
    assert.isTrue(await watched(plan.id))
    const tagless = retold(BLOCK, tag => (tag === "safe" || tag === "finalized" ? null : undefined))
    await under([tagless], () => recover(plan.id))
    assert.isFalse(await watched(plan.id))
  })

  it("is what is deep where the node tells of no finalized block, whatever it says is safe", async () => {
    const { bench, recover } = stand
    const { plan } = await relayed()
    await mine(bench, 300)
    const withoutFinalized = retold(BLOCK, tag => (tag === "finalized" ? null : undefined))
    await under([withoutFinalized], () => recover(plan.id))
    assert.isFalse(await watched(plan.id))
  })
})

describe("a node whose pending nonce is below its latest", () => {
  it("gets no bytes, and the step stays free", async () => {
    const { bench, sql } = stand
    const { owner, plan, raw } = await prepared()
    bench.proxy.fault({
      method: "eth_getTransactionCount",
      phase: "after",
      act: {
        kind: "rewrite",
        rewrite: ({ method, params }) =>
          method === "eth_getTransactionCount" && params[1] === "latest" ? "0x9" : undefined
      }
    })
    const answer = await submit(bench.service, owner, plan, { rawSignedTransaction: raw })
    await assertProblem(answer, "NONCE_NOT_READY")
    assert.strictEqual(timesSent(bench, raw), 0)
    const bound = await sql("SELECT 1 FROM transport_bindings WHERE plan = $1", [plan.id])
    assert.strictEqual(bound.length, 0)
  })
})
