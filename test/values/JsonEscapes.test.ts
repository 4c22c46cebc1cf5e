import { assert, describe, it } from "vitest"
import { hasHalfCharacter, hasNul } from "../../src/values/JsonEscapes.ts"

describe("the escapes of a JSON text", () => {
  it.each([
    ["a\0b", true, false],
    ["a\ud83d", false, true],
    ["\udc00 and \\", false, true],
    ["\\u0000 and \\ud83d, spelt out", false, false],
    ["\\\0", true, false],
    ["a whole 😀", false, false]
  ])("of %j", (text, isNul, isHalf) => {
    const json = JSON.stringify({ text })
    assert.deepStrictEqual([hasNul(json), hasHalfCharacter(json)], [isNul, isHalf])
  })
})
