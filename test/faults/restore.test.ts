import { assert, it } from "vitest"
import { campaign } from "./Campaign.ts"
import { runRestore } from "./outages/Restore.ts"

const { seed, sizes, report, asked } = campaign("restore", { count: 2 })

it("a database that is restored while its chains went on sends nothing twice, accepts nothing twice and names what it lost", {
  timeout: asked ? 7_200_000 : 600_000
}, async () => {
  const { verdicts, counts } = await runRestore({ count: sizes.count, seed, clients: 4, isOperated: false })
  const violations = verdicts.filter(each => each.violations.length > 0)
  report({ cases: sizes.count, ...counts, violations: violations.length })
  assert.deepStrictEqual(violations, [])
  assert.isAbove(counts.repeated ?? 0, 2)
  assert.isAbove(counts.replays ?? 0, 2)
  assert.isAbove((counts.found ?? 0) + (counts.lost ?? 0), 0)
})
