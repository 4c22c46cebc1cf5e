/** An execution far behind the head is found in ranges of blocks that nodes answer, however few these are. */
import { afterAll, afterEach, assert, it } from "vitest"
import type { Question } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { sqlOn } from "../support/Sql.ts"
import {
  comesTo,
  confirm,
  execute,
  look,
  observationOf,
  type Publication,
  publication,
  startExecutingBench
} from "./support/Executing.ts"

const bench = await startExecutingBench({ requestSeconds: 169_200 })

afterAll(() => bench.stop())
afterEach(() => bench.proxy.clearFaults())

const stateOf = async (made: Publication) => observationOf((await look(bench, made)).sponsorship).state

const isWider =
  (blocks: number) =>
  ({ method, params: [filter] }: Question): boolean => {
    const blockOf = (name: string) => Number(Reflect.get(Object(filter), name))
    return method === "eth_getLogs" && blockOf("toBlock") - blockOf("fromBlock") >= blocks
  }

const answerNoMoreThan = (blocks: number) => {
  const within = (calls: ReadonlyArray<Question>) => calls.some(isWider(blocks))
  const act = { kind: "error", code: -32_005, message: "the range is too large" } as const
  bench.proxy.fault({ method: "eth_getLogs", times: 1_000, phase: "before", within, act })
}

it("an execution is found far behind the head, in ranges that nodes answer, from the place where it was left", async () => {
  const made = await publication(bench, { lie: "executes-never" })
  const rangesAsked = async (blocks: number) => {
    await mine(bench, blocks)
    const before = bench.proxy.records.length
    assert.strictEqual(await stateOf(made), "pending")
    const answered = bench.proxy.records.slice(before)
    return answered.filter(({ method, forwarded }) => method === "eth_getLogs" && forwarded).length
  }
  answerNoMoreThan(100)
  assert.isAtLeast(await rangesAsked(700), 7)
  bench.proxy.clearFaults()
  const [row] = await sqlOn(
    bench.service.databaseUrl,
    "SELECT searched_block - since_block AS searched FROM sponsored_calls WHERE plan = $1",
    [made.plan.id]
  )
  assert.isAbove(Number(row?.searched), 300)
  assert.strictEqual(await rangesAsked(1), 1)
  await execute(bench, made)
  await confirm(bench)
  await comesTo(bench, made, "completed")
})

const headOf = () => rpc(bench.chain.url, "eth_getBlockByNumber", ["latest", false])

const callFinal = (block: unknown) => {
  const isAsked = ({ method, params }: Question) =>
    method === "eth_getBlockByNumber" && params[0] === "finalized"
  bench.proxy.fault({
    method: "eth_getBlockByNumber",
    times: 1_000,
    phase: "after",
    within: questions => questions.some(isAsked),
    act: { kind: "rewrite", rewrite: question => (isAsked(question) ? block : undefined) }
  })
}

const sweepOf = async ({ plan }: Publication) => {
  const select =
    "SELECT sweep_at - unix_millis() AS wait, sweep_attempts AS attempts FROM plans WHERE id = $1"
  const [row] = await sqlOn(bench.service.databaseUrl, select, [plan.id])
  return { wait: Number(row?.wait), attempts: Number(row?.attempts) }
}

it("an execution near the head is found where more blocks than a look covers are not final, and each part of the way is followed by the next at once", async () => {
  const made = await publication(bench, { lie: "executes-never" })
  callFinal(await headOf())
  answerNoMoreThan(100)
  await mine(bench, 1_100)
  await execute(bench, made)
  await confirm(bench)
  const backOff = "UPDATE plans SET sweep_at = unix_millis() + 3600000, sweep_attempts = 9 WHERE id = $1"
  const lookAndWait = async () => {
    await sqlOn(bench.service.databaseUrl, backOff, [made.plan.id])
    return { state: await stateOf(made), ...(await sweepOf(made)) }
  }
  const first = await lookAndWait()
  assert.deepInclude(first, { state: "pending", attempts: 0 })
  assert.isAtMost(first.wait, 2_000)
  assert.strictEqual((await lookAndWait()).state, "confirmed")
})

it("an execution is found by a node that answers ten blocks at a time, look by look", async () => {
  await mine(bench, 300)
  const made = await publication(bench, { lie: "executes-never" })
  await execute(bench, made)
  await confirm(bench)
  answerNoMoreThan(10)
  const states: Array<string> = []
  for (let looks = 0; looks < 5; looks++) states.push(await stateOf(made))
  bench.proxy.clearFaults()
  assert.deepStrictEqual([states.at(0), states.at(-1)], ["pending", "confirmed"])
})
