/** Where a node traces, the calls of one operation are told apart, and verified singly. */
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { confirm } from "../sponsorship/support/Executing.ts"
import { payment } from "../support/PlannedCalls.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { newPayer, startRelayBench } from "../support/RelayBench.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { testSettings } from "../support/Service.ts"
import { execute, look, newWallet, record, sentOperation, walletPlan } from "./support/Sent.ts"

const BENEFICIARY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const { userOperations } = testSettings(0, 0, "")
const bench = await startRelayBench({
  settings: { userOperations: { ...userOperations, traceBatches: true } }
})

afterAll(() => bench.stop())
afterEach(() => bench.proxy.clearFaults())

const pay = payment(bench, BENEFICIARY)

const larger = payment(bench, BENEFICIARY, {
  args: ["2", NATIVE_TOKEN, "2000", BENEFICIARY, "0", "", "0x"],
  value: "2000"
})

const executed = async (calls = [pay, pay, larger]) => {
  const made = await sentOperation(bench, { calls })
  await execute(bench, [await sentOperation(bench), made, await sentOperation(bench)])
  await confirm(bench)
  return made
}

const statusesOf = async (made: Awaited<ReturnType<typeof executed>>) =>
  (await look(bench, made)).steps.map(({ semantic }) => semantic?.status)

const statesOf = async (made: Awaited<ReturnType<typeof executed>>) =>
  (await look(bench, made)).steps.map(({ state }) => state)

const tooLarge = "00".repeat(3_000_000)

/** In one look. */
const timesAsked = async (question: string, made: Awaited<ReturnType<typeof executed>>) => {
  const before = bench.proxy.records.length
  await look(bench, made)
  return bench.proxy.records.slice(before).filter(({ method }) => method === question).length
}

const refuseTraces = (code: number) =>
  bench.proxy.fault({
    method: "debug_traceTransaction",
    times: 100,
    phase: "before",
    act: { kind: "error", code, message: "no trace" }
  })

/** Traces are told with other frames. */
const lieOfTraces = (edit: (text: string) => string) =>
  bench.proxy.fault({
    method: "debug_traceTransaction",
    times: 100,
    phase: "after",
    act: {
      kind: "rewrite",
      rewrite: ({ method }: Question, result) =>
        method === "debug_traceTransaction" ? JSON.parse(edit(JSON.stringify(result))) : undefined
    }
  })

interface Frame {
  type: string
  from: string
  to?: string
  value?: string
  input?: string
  error?: string
  calls?: Array<Frame>
  logs?: Array<object>
}

const framesIn = (frame: Frame): ReadonlyArray<Frame> => [frame, ...(frame.calls ?? []).flatMap(framesIn)]

/** The wallet's own first and last call of three, and what made the last one. */
const ownFrames = (root: Frame) => {
  const all = framesIn(root)
  const last = all.find(({ type, value }) => type === "CALL" && value === "0x7d0") ?? assert.fail("no call")
  const own = all.filter(({ type, from, to }) => type === "CALL" && from === last.from && to === last.to)
  assert.lengthOf(own, 3)
  const [first = last] = own
  const makers = all.find(({ calls }) => calls?.includes(last))?.calls ?? assert.fail("nobody made it")
  return { first, last, makers }
}

type Own = ReturnType<typeof ownFrames>

const framed = (lie: (own: Own) => void) => (text: string) => {
  const root: Frame = JSON.parse(text)
  lie(ownFrames(root))
  return JSON.stringify(root)
}

const exchanged = (one: Frame, other: Frame, members: ReadonlyArray<keyof Frame>) => {
  const [before, after] = [{ ...one }, { ...other }]
  for (const member of members) {
    Object.assign(one, { [member]: after[member] })
    Object.assign(other, { [member]: before[member] })
  }
}

const INNER = ["calls", "logs"] as const
const WHOLE = ["value", "input", ...INNER] as const

describe("the calls of one operation", () => {
  it("are each verified by their own logs, the same twice too", async () => {
    const made = await executed()
    const { steps } = await look(bench, made)
    assert.deepStrictEqual(
      steps.map(({ state, semantic }) => `${state} ${semantic?.status}`),
      ["confirmed verified", "confirmed verified", "confirmed verified"]
    )
    const { scoped_count } = await record(bench, made)
    assert.isAtLeast(Number(scoped_count), 3)
  })

  it("share one question for their trace, one for their receipt, and one for a transaction that has none", async () => {
    const made = await executed()
    assert.strictEqual(await timesAsked("debug_traceTransaction", made), 1)
    assert.strictEqual(await timesAsked("eth_getTransactionReceipt", made), 1)
    bench.proxy.fault({
      method: "eth_getTransactionReceipt",
      phase: "after",
      act: {
        kind: "rewrite",
        rewrite: ({ method }: Question) => (method === "eth_getTransactionReceipt" ? null : undefined)
      }
    })
    assert.strictEqual(await timesAsked("eth_getTransactionByHash", made), 1)
  })

  it("are unknown where their trace is too large, and those of another operation are not", async () => {
    const [owner, wallet] = [await newPayer(bench), await newWallet(bench)]
    const plan = await walletPlan(bench, owner, wallet, [pay, larger, pay, larger])
    const first = await sentOperation(bench, { owner, wallet, plan, steps: [0, 1] })
    const hash = await execute(bench, [first])
    await execute(bench, [await sentOperation(bench, { owner, wallet, plan, steps: [2, 3] })])
    await confirm(bench)
    bench.proxy.fault({
      method: "debug_traceTransaction",
      times: 100,
      phase: "after",
      act: { kind: "rewrite", rewrite: ({ params }) => (params[0] === hash ? { tooLarge } : undefined) }
    })
    assert.deepStrictEqual(await statusesOf(first), ["unknown", "unknown", "verified", "verified"])
  })

  it.each([
    ["does not trace", -32_601],
    ["refuses their trace", -32_000]
  ])("are unknown where the node %s", async (_, code) => {
    refuseTraces(code)
    assert.deepStrictEqual(await statusesOf(await executed()), ["unknown", "unknown", "unknown"])
  })

  it.each([-32_005, 429])("are looked at again where a trace is over the node's limit: %d", async code => {
    const made = await executed()
    refuseTraces(code)
    assert.deepStrictEqual(await statusesOf(made), [undefined, undefined, undefined])
    bench.proxy.clearFaults()
    assert.deepStrictEqual(await statusesOf(made), ["verified", "verified", "verified"])
    refuseTraces(code)
    assert.deepStrictEqual(await statusesOf(made), ["verified", "verified", "verified"])
    assert.deepStrictEqual(await statesOf(made), ["confirmed", "confirmed", "confirmed"])
  })

  it.each([-32_000, -32_601, -32_603])(
    "stay verified where the same trace is refused afterwards: %d",
    async code => {
      const made = await executed()
      assert.deepStrictEqual(await statusesOf(made), ["verified", "verified", "verified"])
      refuseTraces(code)
      await confirm(bench)
      assert.deepStrictEqual(await statusesOf(made), ["verified", "verified", "verified"])
    }
  )

  it("stay verified where the same trace is too large afterwards", async () => {
    const made = await executed()
    assert.deepStrictEqual(await statusesOf(made), ["verified", "verified", "verified"])
    lieOfTraces(text => JSON.stringify({ text, tooLarge }))
    assert.deepStrictEqual(await statusesOf(made), ["verified", "verified", "verified"])
  })

  it.each([
    ["calls in another order", framed(({ first, last }) => exchanged(first, last, ["value", "input"]))],
    ["calls in another order, with all in them", framed(({ first, last }) => exchanged(first, last, WHOLE))],
    ["the logs of one call as another's", framed(({ first, last }) => exchanged(first, last, INNER))],
    ["a call once more", framed(({ last, makers }) => makers.push(structuredClone(last)))],
    ["a call less", framed(({ last, makers }) => makers.splice(makers.indexOf(last), 1))],
    ["a call undone", framed(({ last }) => Object.assign(last, { error: "execution reverted" }))],
    ["a call by another", framed(({ last }) => Object.assign(last, { from: BENEFICIARY.toLowerCase() }))],
    ["a call of another kind", framed(({ last }) => Object.assign(last, { type: "DELEGATECALL" }))],
    ["a call of another value", (text: string) => text.replaceAll('"value":"0x3e8"', '"value":"0x3e9"')],
    ["logs of other data", (text: string) => text.replaceAll('"data":"0x0', '"data":"0x1')],
    ["logs without their places", (text: string) => text.replaceAll('"position"', '"elsewhere"')],
    ["no logs", (text: string) => text.replaceAll('"logs"', '"elsewhere"')]
  ])("are unknown while a trace shows %s", async (_, edit) => {
    const made = await executed()
    lieOfTraces(edit)
    assert.deepStrictEqual(await statusesOf(made), ["unknown", "unknown", "unknown"])
    bench.proxy.clearFaults()
    assert.deepStrictEqual(await statusesOf(made), ["verified", "verified", "verified"])
  })
})
