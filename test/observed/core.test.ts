import { assert, it } from "vitest"
import { core } from "./differences/core.ts"
import { loans } from "./differences/loans.ts"
import { payouts } from "./differences/payouts.ts"
import { routing } from "./differences/routing.ts"
import { shops } from "./differences/shops.ts"
import { describeFamily } from "./Family.ts"
import { scenarios } from "./Recording.ts"

describeFamily("core", core)

it("every recorded scenario has its place", () => {
  const placed = [core, payouts, loans, routing, shops].flatMap(family => family.scenarios)
  assert.deepStrictEqual([...placed].sort(), scenarios)
})
