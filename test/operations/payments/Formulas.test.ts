import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { fitsUint256, MAX_CASH_OUT_TAX_RATE } from "../../../src/operations/shared/economics/Arithmetic.ts"
import { cashOutFee, reclaimable } from "../../../src/operations/shared/economics/CashOut.ts"
import { feeOn, returnHeldFees } from "../../../src/operations/shared/economics/Fees.ts"
import { splitReserved, tokensIssuedFor } from "../../../src/operations/shared/economics/Issuance.ts"
import { loanFees, prepaidDuration } from "../../../src/operations/shared/economics/Loans.ts"
import { divide, payoutsOf } from "../../../src/operations/shared/economics/Payouts.ts"
import { slippageFloor } from "../../../src/operations/shared/economics/Slippage.ts"
import { cutsUntil, startAfter, weightAfterCuts } from "../../../src/operations/shared/economics/Weight.ts"

const amount = fc.bigInt({ min: 0n, max: 2n ** 160n })
const tax = fc.bigInt({ min: 0n, max: MAX_CASH_OUT_TAX_RATE })
const cutPercent = fc.bigInt({ min: 0n, max: 1_000_000_000n })
const bps = fc.integer({ min: 0, max: 1000 })

const shares = fc
  .array(fc.integer({ min: 1, max: 1_000_000_000 }), { maxLength: 8 })
  .filter(percents => percents.reduce((sum, percent) => sum + percent, 0) <= 1_000_000_000)
  .map(percents => percents.map(percent => ({ percent: BigInt(percent) })))

const holds = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, property))

const sum = (values: ReadonlyArray<bigint>) => values.reduce((total, value) => total + value, 0n)

describe("weights", () => {
  it("are cut as often at once as one after the other", () =>
    holds(fc.tuple(amount, cutPercent, fc.nat(40), fc.nat(40)), ([weight, percent, first, then]) =>
      assert.equal(
        weightAfterCuts(weightAfterCuts(weight, percent, first), percent, then),
        weightAfterCuts(weight, percent, first + then)
      )
    ))

  it("round every cut down", () => {
    assert.equal(weightAfterCuts(999n, 500_000_000n, 1), 499n)
    assert.equal(weightAfterCuts(999n, 500_000_000n, 3), 124n)
    assert.equal(weightAfterCuts(999n, 1_000_000_000n, 1), 0n)
    assert.equal(weightAfterCuts(999n, 0n, 10_000), 999n)
  })

  it("change at boundaries of the base's cycles", () =>
    holds(
      fc.tuple(fc.nat(2 ** 30), fc.integer({ min: 1, max: 2 ** 25 }), fc.nat(2 ** 31)),
      ([start, duration, asked]) => {
        const base = { start: BigInt(start), duration: BigInt(duration) }
        const next = startAfter(base, BigInt(asked))
        assert.isTrue(next >= BigInt(asked) && (next - base.start) % base.duration === 0n)
        assert.isTrue(next === base.start + base.duration || next - base.duration < BigInt(asked))
        assert.equal(cutsUntil(base, next), Number((next - base.start) / base.duration))
      }
    ))

  it("of a base without cycles change when asked, after one cut", () => {
    const base = { start: 5n, duration: 0n }
    assert.equal(startAfter(base, 77n), 77n)
    assert.equal(cutsUntil(base, 77n), 1)
  })
})

describe("issuance", () => {
  it("loses nothing between beneficiary and reserve, and rounds for the reserve", () =>
    holds(fc.tuple(amount, tax), ([count, percent]) => {
      const { beneficiary, reserved } = splitReserved(count, percent)
      assert.equal(beneficiary + reserved, count)
      assert.isTrue(reserved * 10_000n >= count * percent)
    }))

  it("grows with the amount", () =>
    holds(fc.tuple(amount, amount, amount), ([weight, a, b]) => {
      const [less, more] = a < b ? [a, b] : [b, a]
      assert.isTrue(tokensIssuedFor(less, weight, 10n ** 18n) <= tokensIssuedFor(more, weight, 10n ** 18n))
    }))

  it("knows what leaves the contracts' range", () => {
    assert.isTrue(fitsUint256(2n ** 256n - 1n))
    assert.isFalse(fitsUint256(2n ** 256n))
    assert.isFalse(fitsUint256(-1n))
  })
})

describe("cash-outs", () => {
  const cashOut = fc
    .tuple(amount, amount, amount, tax)
    .map(([surplus, count, others, taxRate]) => ({ surplus, count, supply: count + others, taxRate }))

  it("never reclaim more than the tokens' part of the surplus", () =>
    holds(cashOut, quote => {
      const reclaimed = reclaimable(quote)
      assert.isTrue(reclaimed * quote.supply <= quote.surplus * quote.count || quote.supply === 0n)
    }))

  it("reclaim less for a higher tax, nothing at the highest, all for all tokens below it", () =>
    holds(cashOut, quote => {
      if (quote.taxRate > 0n)
        assert.isTrue(reclaimable(quote) <= reclaimable({ ...quote, taxRate: quote.taxRate - 1n }))
      assert.equal(reclaimable({ ...quote, taxRate: MAX_CASH_OUT_TAX_RATE }), 0n)
      const all = { ...quote, count: 7n, supply: 7n, taxRate: MAX_CASH_OUT_TAX_RATE - 1n }
      assert.equal(reclaimable(all), quote.surplus)
    }))

  it("pay more to those who wait than to those who go first", () =>
    holds(fc.tuple(amount, fc.bigInt({ min: 2n, max: 2n ** 100n }), tax), ([surplus, supply, taxRate]) => {
      const count = supply / 2n
      const first = reclaimable({ surplus, count, supply, taxRate })
      const then = reclaimable({ surplus: surplus - first, count, supply: supply - count, taxRate })
      assert.isTrue(then >= first || taxRate === MAX_CASH_OUT_TAX_RATE)
    }))

  it("owe the fee on all when taxed, on what came in free of it when not, and never when feeless", () => {
    const reclaim = { gross: 4_000n, taxRate: 1n, isFeeless: false, feeFreeSurplus: 400n }
    assert.equal(cashOutFee(reclaim), 100n)
    assert.equal(cashOutFee({ ...reclaim, taxRate: 0n }), 10n)
    assert.equal(cashOutFee({ ...reclaim, taxRate: 0n, feeFreeSurplus: 10n ** 18n }), 100n)
    assert.equal(cashOutFee({ ...reclaim, isFeeless: true }), 0n)
  })
})

describe("fees", () => {
  it("are a fortieth, rounded down", () => holds(amount, value => assert.equal(feeOn(value), value / 40n)))

  it("that were held come back in full for what was paid out, and never more", () =>
    holds(fc.array(amount, { maxLength: 5 }), amounts => {
      const arrived = sum(amounts.map(value => value - feeOn(value)))
      const all = returnHeldFees(amounts, arrived)
      assert.equal(all.returned, sum(amounts.map(feeOn)))
      assert.deepEqual([all.held, all.unused], [[], 0n])
      assert.equal(returnHeldFees(amounts, arrived + 5n).unused, 5n)
    }))

  it("that were held lose at most a unit for each return in parts", () =>
    holds(fc.tuple(amount, fc.bigInt({ min: 1n, max: 6n })), ([held, parts]) => {
      const arrived = held - feeOn(held)
      let [left, returned, added]: [ReadonlyArray<bigint>, bigint, bigint] = [[held], 0n, 0n]
      for (let part = 1n; part <= parts; part++) {
        const step = part === parts ? arrived - added : arrived / parts
        const result = returnHeldFees(left, step)
        ;[left, returned, added] = [result.held, returned + result.returned, added + step]
      }
      assert.isTrue(returned <= feeOn(held) && feeOn(held) - returned <= parts)
    }))
})

describe("payouts", () => {
  it("divide everything, and leave nothing when the splits take all", () =>
    holds(fc.tuple(amount, shares), ([total, splits]) => {
      const { amounts, leftover } = divide(total, splits)
      assert.equal(sum(amounts) + leftover, total)
      const rest = 1_000_000_000n - sum(splits.map(({ percent }) => percent))
      if (rest > 0n) assert.equal(divide(total, [...splits, { percent: rest }]).leftover, 0n)
    }))

  it("charge every recipient alone, none for what is feeless or goes back, and lose nothing", () =>
    holds(fc.tuple(amount, shares, fc.boolean(), fc.boolean()), ([total, splits, isFeeless, isReached]) => {
      const recipients = splits.map((split, index) => ({
        ...split,
        isFeeless: index % 2 === 0,
        isReached: index % 3 !== 0
      }))
      const paid = payoutsOf(total, recipients, { isFeeless, isReached })
      const all = [...paid.recipients, paid.owner]
      const fates = [...recipients, { isFeeless, isReached }]
      assert.equal(sum(all.map(each => each.amount)), total)
      assert.equal(sum(all.map(each => each.net)) + paid.fee + paid.returned, total)
      all.forEach((each, index) => {
        const { isFeeless: free, isReached: reached } = fates[index] ?? { isFeeless, isReached }
        assert.equal(each.fee, free || !reached ? 0n : each.amount / 40n)
        assert.equal(each.net, reached ? each.amount - each.fee : 0n)
      })
    }))
})

describe("loans", () => {
  it("cost the protocol's fee unless feeless, a hundredth for REV where it can be paid, and what is prepaid", () => {
    const loan = { gross: 40_000n, prepaidFeePercent: 25n, isFeeless: false, paysRev: true }
    assert.deepEqual(loanFees(loan), {
      protocol: 1_000n,
      rev: 400n,
      source: 1_000n,
      proceeds: { min: 37_600n, max: 39_000n }
    })
    assert.deepEqual(loanFees({ ...loan, isFeeless: true, paysRev: false }).proceeds, {
      min: 39_000n,
      max: 40_000n
    })
    assert.equal(prepaidDuration(25n, 315_360_000n), 15_768_000n)
    assert.equal(prepaidDuration(500n, 315_360_000n), 315_360_000n)
  })
})

describe("slippage", () => {
  it("leaves something of something and nothing of nothing", () =>
    holds(fc.tuple(amount, bps), ([quoted, slippage]) => {
      const floor = slippageFloor(quoted, slippage)
      assert.isTrue(floor <= quoted && (quoted === 0n) === (floor === 0n))
      if (floor > 1n) assert.equal(floor, (quoted * BigInt(10_000 - slippage)) / 10_000n)
    }))
})
