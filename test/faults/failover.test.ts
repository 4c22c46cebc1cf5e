import { assert, it } from "vitest"
import { campaign } from "./Campaign.ts"
import { runFailover } from "./outages/Failover.ts"

const { seed, sizes, report, asked } = campaign("failover", { count: 2 })

it("a pair of databases whose primary is killed under load loses and doubles nothing", {
  timeout: asked ? 7_200_000 : 600_000
}, async () => {
  const { verdicts, counts, seconds } = await runFailover({ count: sizes.count, seed, clients: 4 })
  const violations = verdicts.filter(({ violations }) => violations.length > 0)
  const unavailable = { median: seconds.median, longest: seconds.longest }
  report({ cases: sizes.count, unavailableSeconds: unavailable, ...counts, violations: violations.length })
  assert.deepStrictEqual(violations, [])
  assert.isAbove(counts.relays, 5)
  assert.isAbove(counts.replays, 0)
})
