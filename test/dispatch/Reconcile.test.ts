import { keccak256, stringToBytes } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { LOG_MEMBERS } from "../support/LogMembers.ts"
import { mined, relayedAndMined as relayed } from "../support/Mined.ts"
import { callOf, payment, planned, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { holdAnswer } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, shown, submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const RECEIPT = "eth_getTransactionReceipt"

/** As long as it runs, the terminal's code is this. */
const withTerminal = async (code: string, act: () => Promise<void>) => {
  const address = bench.manifest.deployments.find(({ contractId }) =>
    contractId.endsWith(":JBMultiTerminal")
  )?.address
  const true_ = await rpc(bench.chain.url, "eth_getCode", [address, "latest"])
  await rpc(bench.chain.url, "evm_setAutomine", [false])
  await act()
  await rpc(bench.chain.url, "anvil_setCode", [address, code])
  await mine(bench)
  await rpc(bench.chain.url, "anvil_setCode", [address, true_])
  await rpc(bench.chain.url, "evm_setAutomine", [true])
}

describe("confirmations", () => {
  it("are counted from the receipt's own block", async () => {
    const { owner, plan, raw, refresh } = await relayed(bench)
    assert.strictEqual(stepOf(await shown(bench.service, owner, plan)).state, "submitted")
    const first = await refresh()
    assert.strictEqual(stepOf(first).state, "confirming")
    assert.strictEqual(stepOf(first).receipt?.confirmations, 1)
    assert.notProperty(stepOf(first), "semantic")
    assert.strictEqual(first.status, "pending")
    await mine(bench, 1)
    const second = await refresh()
    assert.strictEqual(second.status, "transactions_confirmed")
    assert.strictEqual(stepOf(second).semantic?.status, "verified")
    assert.strictEqual(stepOf(second).transaction?.hash, hashOf(raw))
  })

  it("keep a compact commitment to the logs", async () => {
    const { raw, refresh } = await relayed(bench)
    const receipt = stepOf(await refresh()).receipt
    const { logs } = await rpc(bench.chain.url, RECEIPT, [hashOf(raw)])
    const written = logs.map((log: object) =>
      Object.fromEntries(Object.entries(log).filter(([name]) => LOG_MEMBERS.includes(name)))
    )
    assert.deepStrictEqual(receipt?.logs, [])
    assert.isFalse(receipt?.logsStored)
    assert.strictEqual(receipt?.logCount, logs.length)
    assert.strictEqual(receipt?.logsHash, keccak256(stringToBytes(canonicalJson(written))))
  })
})

describe("a plan from storage", () => {
  it("asks no chain", async () => {
    const { owner, plan } = await relayed(bench)
    const asked = bench.proxy.roundTrips()
    await shown(bench.service, owner, plan)
    assert.strictEqual(bench.proxy.roundTrips(), asked)
  })

  it("keeps its revision when a refresh finds nothing new", async () => {
    const { owner, plan, refresh } = await relayed(bench)
    const { revision } = await refresh()
    await refresh()
    assert.strictEqual((await shown(bench.service, owner, plan)).revision, revision)
  })
})

/** A plan of a payment and one that rests on it, after the first went to a terminal of this code. */
const relayedTo = async (code: string) => {
  const owner = await newPayer(bench)
  const pay = payment(bench, owner.key.address)
  const plan = await planned(bench, owner, { calls: [pay, { ...pay, dependsOn: [0] }] })
  const raw = await signCall(bench, owner, callOf(plan))
  await withTerminal(code, async () => {
    await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
  })
  return refreshed(bench.service, owner, plan)
}

describe("a transaction that reverts", () => {
  it("blocks its plan", async () => {
    const found = await relayedTo("0x60006000fd")
    assert.strictEqual(found.status, "blocked")
    assert.strictEqual(stepOf(found).state, "reverted")
    assert.strictEqual(stepOf(found).receipt?.status, "reverted")
    assert.strictEqual(stepOf(found).semantic?.status, "failed")
    assert.deepStrictEqual(stepOf(found, 1).blockedBy, [0])
  })
})

describe("effects that cannot be proved", () => {
  it("never complete a plan nor free what rests on it", async () => {
    const found = await relayedTo("0x00")
    assert.strictEqual(stepOf(found).state, "confirmed")
    assert.strictEqual(stepOf(found).semantic?.status, "unknown")
    assert.strictEqual(found.status, "pending")
    assert.strictEqual(stepOf(found, 1).state, "blocked")
  })
})

describe("dependencies", () => {
  it("block each later step until each earlier one is satisfied", async () => {
    const { owner, plan, refresh } = await relayed(bench, { calls: 3 })
    const early = await signCall(bench, owner, callOf(plan, 1))
    const answer = await submit(bench.service, owner, plan, { rawSignedTransaction: early }, { step: 1 })
    await assertProblem(answer, "DEPENDENCIES_UNCONFIRMED")
    assert.strictEqual(timesSent(bench, early), 0)
    await mine(bench)
    assert.deepStrictEqual(
      (await refresh()).steps.map(({ state }) => state),
      ["confirmed", "ready", "blocked"]
    )
    await submitted(bench.service, owner, plan, { rawSignedTransaction: early }, { step: 1 })
    assert.deepStrictEqual(
      (await refresh()).steps.map(({ blockedBy }) => blockedBy),
      [[], [], [1]]
    )
  })

  it("are reconciled by the submission itself", async () => {
    const { owner, plan } = await relayed(bench, { calls: 2 })
    await mine(bench)
    const next = await signCall(bench, owner, callOf(plan, 1))
    await submitted(bench.service, owner, plan, { rawSignedTransaction: next }, { step: 1 })
    assert.strictEqual(timesSent(bench, next), 1)
  })
})

describe("a chain that cannot be read", () => {
  it("makes a step unknown, keeps what was stored, and blocks what rests on it", async () => {
    const { owner, plan, refresh } = await relayed(bench, { calls: 2 })
    await mine(bench, 1)
    const before = stepOf(await refresh())
    bench.proxy.fault({ method: RECEIPT, phase: "before", act: { kind: "status", status: 503 } })
    const during = await refresh()
    assert.strictEqual(stepOf(during).state, "unknown")
    assert.deepStrictEqual(stepOf(during).receipt, before.receipt)
    assert.strictEqual(stepOf(during, 1).state, "blocked")
    assert.strictEqual((await refresh()).status, "partial")
    assert.deepStrictEqual(stepOf(await shown(bench.service, owner, plan)).state, "confirmed")
  })

  it.each([
    ["of another transaction", { transactionHash: `0x${"ab".repeat(32)}` }],
    ["of a block that nobody knows", { blockHash: `0x${"ab".repeat(32)}` }],
    ["beyond the head", { blockNumber: "0xffffff" }]
  ])("is not believed when it shows a receipt %s", async (_, over) => {
    const { raw, refresh } = await relayed(bench)
    await mine(bench)
    const receipt = await rpc(bench.chain.url, RECEIPT, [hashOf(raw)])
    const lie = { ...receipt, ...over, logs: [] }
    bench.proxy.fault({ method: RECEIPT, phase: "after", act: { kind: "result", result: lie } })
    assert.notInclude(["confirmed", "confirming", "reverted"], stepOf(await refresh()).state)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
  })

  it("cannot take back what is final", async () => {
    const { refresh } = await relayed(bench)
    await mine(bench, 100)
    assert.strictEqual(stepOf(await refresh()).receipt?.finality, "finalized")
    bench.proxy.fault({ method: RECEIPT, phase: "before", act: { kind: "reset" } })
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
  })
})

describe("the same bytes for two steps of the same call", () => {
  it("belong to the first, known to the chain or not", async () => {
    const { owner, plan, raw } = await relayed(bench, { calls: 2 })
    const body = { rawSignedTransaction: raw }
    await assertProblem(await submit(bench.service, owner, plan, body, { step: 1 }), "NONCE_RESERVED")
    assert.notProperty(stepOf(await shown(bench.service, owner, plan), 1), "transaction")
  })
})

describe("refreshing", () => {
  it("sends nothing", async () => {
    const { refresh } = await relayed(bench)
    const sent = bench.proxy.sent().length
    await refresh()
    assert.strictEqual(bench.proxy.sent().length, sent)
  })

  it("gives up after three records that changed meanwhile", async () => {
    const { owner, plan } = await relayed(bench)
    const change = "UPDATE plans SET revision = revision + 1 WHERE id = $1"
    let { reached, letGo } = holdAnswer(bench, RECEIPT)
    const answer = signedFetch(bench.service, owner, "GET", `/api/v1/plans/${plan.id}?refresh=true`)
    for (let attempt = 1; attempt <= 3; attempt++) {
      await reached
      await sqlOn(bench.service.databaseUrl, change, [plan.id])
      const next = holdAnswer(bench, RECEIPT)
      letGo()
      ;({ reached, letGo } = next)
    }
    const problem = await assertProblem(await answer, "CONCURRENT_UPDATE")
    bench.proxy.clearFaults()
    assert.isTrue(problem.retryable)
  })

  it("never overwrites a receipt with a late answer of the broadcast", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    const broadcast = holdAnswer(bench, "eth_sendRawTransaction")
    const answer = submit(bench.service, owner, plan, { rawSignedTransaction: raw })
    await broadcast.reached
    await mined(bench, raw)
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
    broadcast.letGo()
    assert.strictEqual((await answer).status, 202)
    assert.strictEqual((await shown(bench.service, owner, plan)).status, "transactions_confirmed")
  })
})
