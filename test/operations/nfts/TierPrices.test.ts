import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  converted,
  creditsAfter,
  effectivePrice,
  rescaled,
  spendable,
  tierOfToken
} from "../../../src/operations/nfts/TierPrices.ts"

const amount = fc.bigInt({ min: 0n, max: (1n << 104n) - 1n })

describe("tier prices", () => {
  it("fall by two hundredths and never below zero", () => {
    assert.strictEqual(effectivePrice(1_000n, 0), 1_000n)
    assert.strictEqual(effectivePrice(1_000n, 1), 995n)
    assert.strictEqual(effectivePrice(999n, 100), 500n)
    assert.strictEqual(effectivePrice(1_000n, 200), 0n)
    assert.strictEqual(effectivePrice(1_000n, 255), 0n)
  })

  it("are met by amounts in other decimals and currencies, rounded down", () => {
    assert.strictEqual(rescaled(1_999_999n, 6, 0), 1n)
    assert.strictEqual(rescaled(3n, 6, 18), 3_000_000_000_000n)
    assert.strictEqual(rescaled(7n, 18, 18), 7n)
    const [ether, usdInEther] = [10n ** 18n, 5n * 10n ** 14n]
    assert.strictEqual(converted(ether, 6, usdInEther), 2_000n * 10n ** 6n)
    assert.strictEqual(converted(ether - 1n, 6, usdInEther), 2_000n * 10n ** 6n - 1n)
  })

  it("take credits of those alone who pay for themselves, and lose none", () => {
    fc.assert(
      fc.property(amount, amount, fc.boolean(), amount, (value, credits, payerIsBeneficiary, spent) => {
        const payment = { value, credits, payerIsBeneficiary }
        assert.strictEqual(spendable(payment), payerIsBeneficiary ? value + credits : value)
        fc.pre(spent <= spendable(payment))
        const leftover = spendable(payment) - spent
        assert.strictEqual(creditsAfter(payment, leftover), value + credits - spent)
      })
    )
  })

  it("belong to the tier that a token id names", () => {
    assert.strictEqual(tierOfToken(65_535_000_000_001n), 65_535n)
    assert.strictEqual(tierOfToken(1_999_999_999n), 1n)
  })
})
