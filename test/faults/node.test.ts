import { afterAll, assert, describe, it } from "vitest"
import { callOf, planned, stepOf } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import type { ProxyFault } from "../support/RecordingProxy.ts"
import { mine, newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const OTHER = `0x${"ab".repeat(32)}`
const HUGE = `0x${"f".repeat(16)}`

type Named = readonly [string, Pick<ProxyFault, "phase" | "act">]

const ofRoundTrips: ReadonlyArray<Named> = [
  ["a reset before", { phase: "before", act: { kind: "reset" } }],
  ["a reset after", { phase: "after", act: { kind: "reset" } }],
  ["429", { phase: "before", act: { kind: "status", status: 429 } }],
  ["500", { phase: "before", act: { kind: "status", status: 500 } }],
  ["500 after", { phase: "after", act: { kind: "status", status: 500 } }],
  ["a page", { phase: "after", act: { kind: "html" } }],
  ["half an answer", { phase: "after", act: { kind: "truncated" } }],
  ["cut JSON", { phase: "after", act: { kind: "cutJson" } }],
  ["a huge answer", { phase: "after", act: { kind: "huge", bytes: 6_000_000 } }],
  ["another id", { phase: "after", act: { kind: "wrongId" } }],
  [
    "a redirection",
    { phase: "after", act: { kind: "redirect", status: 307, location: "http://127.0.0.1:1/" } }
  ]
]

const ofAnswers: ReadonlyArray<Named> = [
  ["an error", { phase: "after", act: { kind: "error", code: -32000, message: "nonce too low" } }],
  ["null", { phase: "after", act: { kind: "result", result: null } }],
  ["a number", { phase: "after", act: { kind: "result", result: 7 } }],
  ["a lying hash", { phase: "after", act: { kind: "result", result: OTHER } }],
  ["an object", { phase: "after", act: { kind: "result", result: { hash: OTHER, number: HUGE } } }]
]

const submissionMethods = [
  "eth_getTransactionByHash",
  "eth_getBlockByNumber",
  "eth_getTransactionCount",
  "eth_getBalance",
  "eth_call",
  "eth_estimateGas",
  "eth_sendRawTransaction"
]

const refreshMethods = ["eth_getBlockByNumber", "eth_getTransactionReceipt", "eth_getTransactionByHash"]

/** A station that failed rests for a while, and is tried nevertheless when it is the only one. */
const cells = (faults: ReadonlyArray<Named>, methods: ReadonlyArray<string>) =>
  methods.flatMap(method => faults.map(([name, fault]) => [method, name, { method, ...fault }] as const))

/** A whole round trip fails alike whichever of its methods it is found by. */
const submissionCells = [
  ...cells(ofRoundTrips, ["eth_getTransactionByHash", "eth_call", "eth_sendRawTransaction"]),
  ...cells(ofAnswers, submissionMethods)
]

const refreshCells = [
  ...cells(ofRoundTrips, ["eth_getTransactionReceipt"]),
  ...cells(ofAnswers, refreshMethods)
]

const claims = async (planId: string): Promise<number> => {
  const [lease] = await sqlOn(
    bench.service.databaseUrl,
    "SELECT count FROM dispatch_leases WHERE plan = $1",
    [planId]
  )
  return Number(lease?.count ?? 0)
}

const FAILURES = [
  "RPC_UNAVAILABLE",
  "RPC_INVALID_RESPONSE",
  "RPC_TIMEOUT",
  "RPC_BEHIND",
  "RPC_CHAIN_MISMATCH"
]
const REFUSALS = [
  ...FAILURES,
  "PLAN_EVIDENCE_REORGED",
  "NONCE_NOT_READY",
  "INSUFFICIENT_BALANCE",
  "SIGNED_FEE_BELOW_BASE_FEE",
  "SIGNED_GAS_TOO_LOW",
  "SIMULATION_REVERTED"
]

describe("a node that fails during a submission", () => {
  it.each(submissionCells)("%s: %s", async (_method, _name, fault) => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    const body = { rawSignedTransaction: raw }
    bench.proxy.fault(fault)
    const answer = await submit(bench.service, owner, plan, body)
    bench.proxy.clearFaults()
    if (!answer.ok) {
      assert.include(REFUSALS, (await problemIn(answer)).code)
      assert.strictEqual(timesSent(bench, raw), 0)
      assert.strictEqual(await claims(plan.id), 0)
    }
    const { dispatch } = await submitted(bench.service, owner, plan, body)
    assert.include(["submitted", "already-observed"], dispatch.status)
    assert.isAtMost(timesSent(bench, raw), await claims(plan.id))
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
  })
})

describe("a node that fails during a refresh", () => {
  it.each(refreshCells)("%s: %s", async (_method, _name, fault) => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
    await mine(bench)
    bench.proxy.fault(fault)
    const during = stepOf(await refreshed(bench.service, owner, plan))
    bench.proxy.clearFaults()
    if (during.state === "confirmed") {
      const { blockHash } = await rpc(bench.chain.url, "eth_getTransactionReceipt", [hashOf(raw)])
      assert.strictEqual(during.receipt?.blockHash, blockHash)
    } else assert.include(["unknown", "submitted", "reorged"], during.state)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})

describe("a head beyond all reason", () => {
  it.each([HUGE, `0x${"f".repeat(64)}`])("does not spoil the stored record: %s", async number => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
    await mine(bench)
    const latest = await rpc(bench.chain.url, "eth_getBlockByNumber", ["latest", false])
    const result = { ...latest, number }
    bench.proxy.fault({ method: "eth_getBlockByNumber", phase: "after", act: { kind: "result", result } })
    await refreshed(bench.service, owner, plan)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
  })
})
