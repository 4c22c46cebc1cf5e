/** The guard of sessions against its twin: the same verdict, the same rule and the same counters, whatever it is given. */
import { isDeepStrictEqual } from "node:util"
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
/** As many as one request has room for. */
const FLIPPED_AT_ONCE = 250
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

const told = new Map<string, number>()
/** Whatever ended a test early, what was judged until then is what is reported. */
const judged = { cases: 0, bits: 0, violations: 0 }

afterAll(async () => {
  const byRule = [...told].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
  report({ ...judged, ...Object.fromEntries(byRule) })
  await sandbox.stop()
})

const count = (said: string) => {
  const kind = said.replace(/ \d+ \d+$/, "")
  told.set(kind, (told.get(kind) ?? 0) + 1)
}

const compare = async (cases: ReadonlyArray<Case>, name: (index: number) => string) => {
  const answers = await onChain(sandbox.url, cases)
  cases.forEach((one, index) => {
    const [real, twin] = [answers[index], byTwin(one)]
    if (!isDeepStrictEqual(real, twin)) judged.violations += 1
    assert.deepStrictEqual(twin, real, name(index))
    for (const said of real?.said ?? []) count(said)
  })
  return answers
}

const REFUSED = /^(?:rule 2[123]|failed 1 .*)$/

describe("the guard and its twin", () => {
  it("say the same of random policies and operations, by each of their rules", {
    timeout: 3_600_000
  }, async () => {
    for (let from = 0; from < sizes.count; from += AT_ONCE) {
      const to = Math.min(from + AT_ONCE, sizes.count)
      const cases = casesOf(seed, from, to, index => head + 10 * (index + 1))
      await compare(cases, index => `case ${from + index} of seed ${seed}`)
      judged.cases = to
    }
    const missing = RULES.filter(rule => !told.has(`rule ${rule}`))
    assert.deepEqual(missing, [])
    assert.isAbove(told.get("signed") ?? 0, sizes.count / 2)
    assert.isAbove(told.get("failed 1") ?? 0, 0)
  })

  it("refuse an envelope of which any bit is flipped", { timeout: 3_600_000 }, async () => {
    const bits = bitsOf(head + 1).filter(bit => bit % EVERY === 0)
    assert.isAbove(bits.length, 300)
    for (let from = 0; from < bits.length; from += FLIPPED_AT_ONCE) {
      const chosen = bits.slice(from, from + FLIPPED_AT_ONCE)
      const [answers] = await compare([flippedCase(head + 1, chosen)], String)
      const [, , whole = "", ...flipped] = answers?.said ?? []
      assert.match(whole, /^signed /)
      assert.lengthOf(flipped, chosen.length)
      const accepted = chosen.filter((_, index) => !REFUSED.test(flipped[index] ?? ""))
      judged.violations += accepted.length
      assert.deepEqual(accepted, [])
      judged.bits += chosen.length
    }
  })
})
