import { assert, it } from "vitest"
import { core } from "./differences/core.ts"
import { loans } from "./differences/loans.ts"
import { payouts } from "./differences/payouts.ts"
import { revnets } from "./differences/revnets.ts"
import { routing } from "./differences/routing.ts"
import { shops } from "./differences/shops.ts"
import { describeFamily } from "./Family.ts"
import { scenarios } from "./Recording.ts"

describeFamily("core", core)

it("every recorded scenario is played by one family", () => {
  const placed = [core, payouts, loans, revnets, routing, shops].flatMap(family => family.scenarios)
  assert.deepStrictEqual(placed.sort(), scenarios)
})
