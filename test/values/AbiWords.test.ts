import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { encodeAbiParameters } from "viem"
import { word } from "../../src/values/AbiWords.ts"

const encoded = (value: bigint) => encodeAbiParameters([{ type: "uint256" }], [value]).slice(2)

const LARGEST = (1n << 256n) - 1n

describe("words", () => {
  it("are those of an encoder, from a number, an integer, its decimals and its digits", () => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt(0n, 2_000n), fc.bigInt(0n, LARGEST)), value => {
        const expected = encoded(value)
        const hex = value.toString(16)
        expect([word(value), word(String(value)), word(`0x${hex}`), word(`0x${hex.toUpperCase()}`)]).toEqual(
          Array.from({ length: 4 }, () => expected)
        )
      })
    )
    fc.assert(
      fc.property(fc.oneof(fc.nat(1_000), fc.maxSafeNat(), fc.constantFrom(-0, 2 ** 53, 2 ** 200)), value => {
        expect(word(value)).toBe(encoded(BigInt(value)))
      })
    )
  })

  it.each([
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 256,
    -1n,
    LARGEST + 1n,
    `-1`,
    `0x1${"0".repeat(64)}`
  ])("do not take %s", value => {
    expect(() => word(value)).toThrow(RangeError)
  })
})
