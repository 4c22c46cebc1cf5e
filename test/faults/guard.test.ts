/** The guard of sessions against its twin: the same verdict, the same rule and the same counters, whatever it is given. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { campaign } from "./Campaign.ts"
import { byTwin } from "./guard/ByTwin.ts"
import { type Case, casesOf } from "./guard/Cases.ts"
import { bitsOf, flippedCase } from "./guard/Flipped.ts"
import { onChain } from "./guard/OnChain.ts"

/** In every run of the tests; as many as wanted in `npm run faults -- --guard`. */
const { seed, sizes, asked, report } = campaign("session-guard", { count: 160 })

const AT_ONCE = 8
/** Which bits of an envelope are flipped: all where a command asked, one of so many otherwise. */
const EVERY = asked ? 1 : 29

const RULES = [
  ...Array.from({ length: 14 }, (_, at) => at + 1),
  ...Array.from({ length: 15 }, (_, at) => at + 20)
]

let sandbox: Sandbox
let head = 0

beforeAll(async () => {
  sandbox = await startSandbox()
  head = Number((await sandbox.client.getBlock()).timestamp)
})
afterAll(() => sandbox.stop())

const told = new Map<string, number>()
const count = (said: string) => {
  const kind = said.replace(/ \d+ \d+$/, "")
  told.set(kind, (told.get(kind) ?? 0) + 1)
}

const compare = async (cases: ReadonlyArray<Case>, name: (index: number) => string) => {
  const answers = await onChain(sandbox.url, cases)
  cases.forEach((one, index) => {
    const real = answers[index]
    assert.deepStrictEqual(byTwin(one), real, name(index))
    for (const said of real?.said ?? []) count(said)
  })
  return answers
}

describe("the guard and its twin", () => {
  it("say the same of random policies and operations, by each of their rules", {
    timeout: 3_600_000
  }, async () => {
    for (let from = 0; from < sizes.count; from += AT_ONCE) {
      const to = Math.min(from + AT_ONCE, sizes.count)
      const cases = casesOf(seed, from, to, index => head + 10 * (index + 1))
      await compare(cases, index => `case ${from + index} of seed ${seed}`)
    }
    const missing = RULES.filter(rule => !told.has(`rule ${rule}`))
    assert.deepEqual(missing, [])
    assert.isAbove(told.get("signed") ?? 0, sizes.count / 2)
    assert.isAbove(told.get("failed 1") ?? 0, 0)
  })

  it("refuse an envelope of which any bit is flipped", { timeout: 3_600_000 }, async () => {
    const bits = bitsOf(head + 1).filter(bit => bit % EVERY === 0)
    assert.isAbove(bits.length, 300)
    for (let from = 0; from < bits.length; from += 500) {
      const [answers] = await compare([flippedCase(head + 1, bits.slice(from, from + 500))], String)
      const [, , whole, ...flipped] = answers?.said ?? []
      assert.match(whole ?? "", /^signed /)
      for (const said of flipped) assert.match(said, /^(?:rule 2[123]|failed 1 .*)$/)
    }
    const byRule = Object.fromEntries(
      [...told].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
    )
    report({ cases: sizes.count, bits: bits.length, ...byRule, violations: 0 })
  })
})
