import { assert, it } from "vitest"
import { inPast } from "../../src/review/sentences/Past.ts"
import { exact, sentence, words } from "../../src/review/Words.ts"

const told = (...texts: ReadonlyArray<string>) => sentence(inPast(texts.map(words)))

it("tells what a wallet did of what it would do", () => {
  assert.strictEqual(told("pay ", "1 ETH", " to project 2"), "paid 1 ETH to project 2")
  assert.strictEqual(
    told("add 1 to the balance and get nothing for it"),
    "added 1 to the balance and got nothing for it"
  )
  assert.strictEqual(told("add 1 tier", " and remove ", "tier 3"), "added 1 tier and removed tier 3")
  assert.strictEqual(told("get the guard", " and let the key act"), "got the guard and let the key act")
  assert.strictEqual(told("end for good what it may do"), "ended for good what it may do")
  assert.strictEqual(told("queue a ruleset"), "queued a ruleset")
})

it("changes no value and no text of others", () => {
  assert.strictEqual(sentence(inPast([words("call "), exact("pay_and_get")])), "called pay_and_get")
})
