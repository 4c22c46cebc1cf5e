import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { bytesToHex } from "viem"
import { fromHex, toHex } from "../../src/values/TypedDataHash.ts"

/** On both sides of where the way of reading changes. */
const bytes = fc.uint8Array({ maxLength: 400 })

const upperCase = (hex: string) => `0x${hex.slice(2).toUpperCase()}`

describe("hexadecimal", () => {
  it("is written as elsewhere and read back, whatever its length and case", () => {
    fc.assert(
      fc.property(bytes, given => {
        const hex = toHex(given)
        expect(hex).toBe(bytesToHex(given))
        expect(fromHex(hex)).toEqual(given)
        expect(fromHex(upperCase(hex))).toEqual(given)
      })
    )
  })

  it("is refused for a single character that is no digit, wherever it stands", () => {
    const strangers = fc.constantFrom(
      "g",
      "G",
      "/",
      ":",
      "@",
      "`",
      " ",
      "\u0000",
      "\u007f",
      "é",
      "\u0130",
      "€",
      "０",
      "\ud800"
    )
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 400 }),
        strangers,
        fc.nat(),
        (given, stranger, at) => {
          const hex = toHex(given)
          const place = 2 + (at % (hex.length - 2))
          expect(() => fromHex(hex.slice(0, place) + stranger + hex.slice(place + 1))).toThrow(RangeError)
        }
      )
    )
  })

  it.each([3, 200])("is refused without its sign or with half a byte too many, at %i bytes", length => {
    const digits = "ab".repeat(length)
    for (const broken of [`${digits}ab`, `0X${digits}`, `0x${digits}a`, `1x${digits}`, `0x${digits}0x`])
      expect(() => fromHex(broken), broken).toThrow(RangeError)
  })
})
