import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { submissionHash } from "../../src/values/TypedDataSubmission.ts"

const commitment = `0x${"ab".repeat(32)}` as const
const a = `0x${"0a".repeat(65)}`
const b = `0x${"0b".repeat(65)}`

const sha256 = (text: string) => `0x${createHash("sha256").update(text).digest("hex")}`

describe("submissionHash", () => {
  it("is the SHA-256 of the canonical JSON", () => {
    const expected = sha256(`{"commitment":"${commitment}","signatures":["${a}","${b}"]}`)
    expect(submissionHash(commitment, [a, b])).toEqual(Option.some(expected))
  })
  it("reads signatures in lower case and keeps their order", () => {
    expect(submissionHash(commitment, [`0x${"0A".repeat(65)}`, b])).toEqual(
      submissionHash(commitment, [a, b])
    )
    expect(submissionHash(commitment, [b, a])).not.toEqual(submissionHash(commitment, [a, b]))
  })
  it.each([
    ["none", []],
    ["33", Array.from({ length: 33 }, () => a)],
    ["64 bytes", [a.slice(0, -2)]],
    ["66 bytes", [`${a}00`]],
    ["no prefix", [a.slice(2)]],
    ["no hexadecimal", [a.replace("0a", "zz")]],
    ["one bad among good", [a, "0x"]]
  ])("refuses %s", (_, signatures) => {
    expect(submissionHash(commitment, signatures)).toEqual(Option.none())
  })
  it("takes 32", () => {
    expect(
      Option.isSome(
        submissionHash(
          commitment,
          Array.from({ length: 32 }, () => b)
        )
      )
    ).toBe(true)
  })
})
