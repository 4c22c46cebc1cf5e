import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { integerPattern } from "../../src/catalog/IntegerPattern.ts"

const WIDTHS = Array.from({ length: 32 }, (_, index) => (index + 1) * 8)

const limits = (signed: boolean, bits: number) =>
  signed
    ? { low: -(2n ** BigInt(bits - 1)), high: 2n ** BigInt(bits - 1) - 1n }
    : { low: 0n, high: 2n ** BigInt(bits) - 1n }

describe("integer patterns", () => {
  for (const signed of [false, true]) {
    it(`cover exactly the width of every ${signed ? "int" : "uint"}`, () => {
      for (const bits of WIDTHS) {
        const pattern = new RegExp(integerPattern(signed, bits))
        const { low, high } = limits(signed, bits)
        for (const inside of [low, low + 1n, 0n, 1n, 9n, 10n, 99n, high - 1n, high]) {
          assert.isTrue(pattern.test(inside.toString()), `${bits} ${inside}`)
        }
        for (const outside of [low - 1n, high + 1n, high * 10n, high + 1000n, -(high + 2n)]) {
          assert.isFalse(pattern.test(outside.toString()), `${bits} ${outside}`)
        }
      }
    })

    it(`agree with arithmetic on any ${signed ? "int" : "uint"}`, () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...WIDTHS),
          fc.bigInt({ min: -(2n ** 258n), max: 2n ** 258n }),
          fc.nat(258),
          (bits, big, shift) => {
            const value = big >> BigInt(shift)
            const { low, high } = limits(signed, bits)
            assert.strictEqual(
              new RegExp(integerPattern(signed, bits)).test(value.toString()),
              value >= low && value <= high
            )
          }
        ),
        { numRuns: 500 }
      )
    })
  }

  it("refuse every spelling but the canonical one", () => {
    const signed = new RegExp(integerPattern(true, 256))
    for (const text of ["", "-0", "00", "01", "+1", "-01", "1.0", "1e3", "0x1", " 1", "1\n"]) {
      assert.isFalse(signed.test(text), JSON.stringify(text))
    }
  })
})
