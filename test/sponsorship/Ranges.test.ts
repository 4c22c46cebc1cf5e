/** An execution far behind the head is found in ranges of blocks that nodes answer, however few these are. */
import { afterAll, assert, it } from "vitest"
import type { Question } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
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
