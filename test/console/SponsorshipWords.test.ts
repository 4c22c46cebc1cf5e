import { assert, it } from "vitest"
import { happening } from "../../src/console/sponsorships/SponsorshipWords.ts"
import { stateMeanings } from "../../src/sponsorship/SponsorshipMeanings.ts"

it("a sponsorship of which a reason says that nothing is to be done is not said to be paid or done anew", () => {
  const state = "funding_quote_available"
  const reason = "it may have been paid for since"
  assert.strictEqual(
    happening({ state, nextAction: { kind: "wait", reason } }),
    "It may have been paid for since."
  )
  assert.strictEqual(happening({ state, nextAction: { kind: "fund" } }), stateMeanings[state])
})

it("a sponsorship whose quote is doubted is said to be in its state, beside the doubt", () => {
  const state = "quote_unverified"
  const nextAction = { kind: "wait", reason: "bundle-id" } as const
  assert.strictEqual(happening({ state, nextAction }), stateMeanings[state])
})
