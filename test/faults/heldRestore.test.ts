import { assert, it } from "vitest"
import { campaign } from "./Campaign.ts"
import { runRestore } from "./outages/Restore.ts"

const { seed, sizes, report, asked } = campaign("held-restore", { count: 1 })

it("a database that is restored while wallets and sessions went on sends no operation twice, and names what it lost", {
  timeout: asked ? 7_200_000 : 600_000
}, async () => {
  const { verdicts, counts } = await runRestore({ count: sizes.count, seed, clients: 4, isOperated: true })
  const violations = verdicts.filter(each => each.violations.length > 0)
  report({ cases: sizes.count, ...counts, violations: violations.length })
  assert.deepStrictEqual(violations, [])
  assert.isAbove((counts.operations ?? 0) + (counts.uses ?? 0), 0)
})
