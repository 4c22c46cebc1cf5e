import { afterAll, assert, describe, it } from "vitest"
import { callOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { signedPayment } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { submit, submitted } from "../support/Submissions.ts"

const ESTIMATE = "eth_estimateGas"
const LOOK = "eth_getTransactionByHash"
const ATTEMPTS = 20

const bench = await startRelayBench()
await rpc(bench.chain.url, "evm_setAutomine", [false])

afterAll(() => bench.stop())

/** The methods of each round trip since then that ran the call. */
const runsSince = (position: number): ReadonlyArray<ReadonlyArray<string>> => {
  const trips = new Map<number, Array<string>>()
  for (const { roundTrip, method } of bench.proxy.records.slice(position))
    trips.set(roundTrip, [...(trips.get(roundTrip) ?? []), method])
  return [...trips.values()].filter(methods => methods.includes(ESTIMATE))
}

type Signed = Awaited<ReturnType<typeof signedPayment>>

const relay = ({ owner, plan, body }: Signed) => submit(bench.service, owner, plan, body)

/** A submission whose call was run with the first look, on whatever machine: a slow one may let the head be forgotten. */
const foreseen = async (
  meanwhile: (signed: Signed) => Promise<unknown> = async () => {},
  undo: () => Promise<unknown> = async () => {}
) => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const signed = await signedPayment(bench)
    for (const { owner, plan, body } of [await signedPayment(bench), await signedPayment(bench)])
      await submitted(bench.service, owner, plan, body)
    const position = bench.proxy.records.length
    await meanwhile(signed)
    const answer = await relay(signed)
    const runs = runsSince(position)
    await undo()
    if (runs[0]?.includes(LOOK)) return { ...signed, answer, runs }
    bench.proxy.clearFaults()
  }
  return assert.fail("no submission found the head that was seen before it")
}

describe("a submission at a head that was just seen", () => {
  it("runs its call with its first look at the chain", async () => {
    const { answer, raw, runs } = await foreseen()
    assert.strictEqual(answer.status, 202)
    assert.lengthOf(runs, 1)
    assert.strictEqual(timesSent(bench, raw), 1)
  })

  it("runs it again where another block is the head by now", async () => {
    const { answer, raw, runs } = await foreseen(() => mine(bench, 1))
    assert.strictEqual(answer.status, 202)
    assert.lengthOf(runs, 2)
    assert.strictEqual(timesSent(bench, raw), 1)
  })

  it("runs it again where the node gives no answer to it", async () => {
    const { answer, raw, runs } = await foreseen(async () =>
      bench.proxy.fault({
        method: ESTIMATE,
        phase: "after",
        act: { kind: "error", code: -32_000, message: "header not found" }
      })
    )
    assert.strictEqual(answer.status, 202)
    assert.lengthOf(runs, 2)
    assert.strictEqual(timesSent(bench, raw), 1)
  })

  it("is refused where its call reverts there", async () => {
    const { to } = callOf((await signedPayment(bench)).plan)
    const code = await rpc(bench.chain.url, "eth_getCode", [to, "latest"])
    const becomes = (bytes: string) => () => rpc(bench.chain.url, "anvil_setCode", [to, bytes])
    const { answer, raw } = await foreseen(becomes("0x5f5ffd"), becomes(code))
    await assertProblem(answer, "SIMULATION_REVERTED")
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("is refused where its wallet cannot pay", async () => {
    const valueAlone = `0x${(10n ** 17n + 999n).toString(16)}`
    const { answer, raw, runs } = await foreseen(({ owner }) =>
      rpc(bench.chain.url, "anvil_setBalance", [owner.key.address, valueAlone])
    )
    await assertProblem(answer, "INSUFFICIENT_BALANCE")
    assert.lengthOf(runs, 1)
    assert.strictEqual(timesSent(bench, raw), 0)
  })
})
