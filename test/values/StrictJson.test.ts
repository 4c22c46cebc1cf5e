import { Either } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { parseStrictJson, parseStrictJsonBytes } from "../../src/values/StrictJson.ts"

const codeOf = (text: string): string =>
  Either.match(parseStrictJson(text), { onLeft: ({ _tag }) => _tag, onRight: () => "OK" })

const codeOfBytes = (...bytes: ReadonlyArray<number>): string =>
  Either.match(parseStrictJsonBytes(Uint8Array.from(bytes)), {
    onLeft: ({ _tag }) => _tag,
    onRight: () => "OK"
  })

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`

describe("strict JSON", () => {
  it("is JSON to the last character", () => {
    for (const text of [
      "",
      " ",
      "{",
      "[1,]",
      "{a:1}",
      "'a'",
      "01",
      "+1",
      ".5",
      "1.",
      "NaN",
      "Infinity",
      "undefined",
      "{} {}",
      "[1]x",
      "\ufeff{}",
      '"\n"',
      '"\\x"',
      "// a\n1"
    ])
      assert.strictEqual(codeOf(text), "INVALID_JSON", JSON.stringify(text))
    for (const text of ["{}", " [ ] ", "null", "0", "-0", "1e2", "\t\r\n1"])
      assert.strictEqual(codeOf(text), "OK", JSON.stringify(text))
  })

  it("is UTF-8 without a mark", () => {
    assert.strictEqual(codeOfBytes(0x22, 0xff, 0x22), "INVALID_UTF8")
    assert.strictEqual(codeOfBytes(0x22, 0xc0, 0x80, 0x22), "INVALID_UTF8")
    assert.strictEqual(codeOfBytes(0x22, 0xed, 0xa0, 0x80, 0x22), "INVALID_UTF8")
    assert.strictEqual(codeOfBytes(0x22, 0xe2, 0x82, 0x22), "INVALID_UTF8")
    assert.strictEqual(codeOfBytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d), "INVALID_JSON")
    assert.strictEqual(codeOfBytes(0xff, 0xfe, 0x7b, 0x00), "INVALID_UTF8")
    assert.strictEqual(codeOfBytes(0x22, 0xe2, 0x82, 0xac, 0x22), "OK")
  })

  it("has no fraction that would be read as an integer", () => {
    for (const text of [
      "0.99999999999999999",
      "-0.99999999999999999",
      "1e-400",
      "9007199254740990.9",
      "90071992547409900.1e-1",
      "1.0000000000000000001e2"
    ])
      assert.strictEqual(codeOf(`[${text}]`), "UNSAFE_JSON_NUMBER", text)
    for (const text of ["1.0000000000000000000", "1.5e1", "150e-1", "0e-9", "0.5", "1.25e1", "1e-7", "0.0e5"])
      assert.strictEqual(codeOf(`[${text}]`), "OK", text)
  })

  it("has no half of a surrogate pair in a string or a key", () => {
    for (const half of [
      "\\ud800",
      "\\uDFFF",
      "a\\uD83Db",
      "\\ude00\\ud83d",
      "\\ud83d\\\\ude00",
      "\\\\\\udbff"
    ]) {
      assert.strictEqual(codeOf(`["${half}"]`), "INVALID_UTF8", half)
      assert.strictEqual(codeOf(`{"${half}":1}`), "INVALID_UTF8", half)
    }
    for (const whole of ["\\ud83d\\ude00", "\\uD83D\\uDE00x", "\\\\ud800", "\\uD7ff\\ue000", "😀"])
      assert.strictEqual(codeOf(`{"${whole}":"${whole}"}`), "OK", whole)
  })

  it("is 32 deep at most, however deep the bomb", () => {
    assert.strictEqual(codeOf(nested(31)), "OK")
    assert.strictEqual(codeOf(nested(32)), "OK")
    assert.strictEqual(codeOf(nested(33)), "JSON_TOO_COMPLEX")
    assert.strictEqual(codeOf(nested(500_000)), "JSON_TOO_COMPLEX")
    assert.strictEqual(codeOf(`${'{"a":'.repeat(33)}1${"}".repeat(33)}`), "JSON_TOO_COMPLEX")
    assert.strictEqual(codeOf("[".repeat(500_000)), "JSON_TOO_COMPLEX")
  })

  it("has 30,000 nodes at most", () => {
    const list = (items: number) => `[${Array.from({ length: items }, () => "0").join(",")}]`
    assert.strictEqual(codeOf(list(29_998)), "OK")
    assert.strictEqual(codeOf(list(29_999)), "OK")
    assert.strictEqual(codeOf(list(30_000)), "JSON_TOO_COMPLEX")
  })

  it("has no integer that JavaScript would round", () => {
    for (const text of ["9007199254740991", "-9007199254740991", "9007199254740990", "0.1", "1e15", "-0"])
      assert.strictEqual(codeOf(text), "OK", text)
    for (const text of [
      "9007199254740992",
      "-9007199254740992",
      "9007199254740993",
      "1e16",
      "1e400",
      "-1e400",
      "1e308",
      "9007199254740992.0",
      `[{"a":[${"9".repeat(400)}]}]`
    ])
      assert.strictEqual(codeOf(text), "UNSAFE_JSON_NUMBER", text)
  })

  it("has no key twice and none that reaches a prototype, however it is spelled", () => {
    assert.strictEqual(codeOf('{"a":1,"a":1}'), "DUPLICATE_JSON_KEY")
    assert.strictEqual(codeOf('{"a":1,"\\u0061":2}'), "DUPLICATE_JSON_KEY")
    assert.strictEqual(codeOf('{"":1,"":2}'), "DUPLICATE_JSON_KEY")
    assert.strictEqual(codeOf('{"b":[{"a":1},{"a":1}],"a":"a"}'), "OK")
    assert.strictEqual(codeOf('{"a":{"a":{"a":"a"}}}'), "OK")
    assert.strictEqual(codeOf('{"a":{"b":1},"b":{"a":1},"a":0}'), "DUPLICATE_JSON_KEY")
    for (const key of ["__proto__", "constructor", "prototype", "\\u005f_proto__", "constructo\\u0072"]) {
      assert.strictEqual(codeOf(`{"${key}":1}`), "RESERVED_JSON_KEY")
      assert.strictEqual(codeOf(`[{"a":{"${key}":1}}]`), "RESERVED_JSON_KEY")
      assert.strictEqual(codeOf(`["${key}"]`), "OK")
    }
  })

  it("survives a mebibyte of escapes", () => {
    assert.strictEqual(codeOf(`"${"\\n".repeat(524_000)}"`), "OK")
    assert.strictEqual(codeOf(`{"${"\\u0061".repeat(170_000)}":1}`), "OK")
  })

  it("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.json({ depthSize: "small" }), text => {
        const mine = parseStrictJson(text)
        const code = codeOf(text)
        if (Either.isRight(mine)) assert.deepStrictEqual(mine.right, JSON.parse(text))
        else assert.include(["UNSAFE_JSON_NUMBER", "RESERVED_JSON_KEY"], code)
      }),
      { numRuns: 500 }
    )
  })

  it("never throws, and refuses what JSON.parse refuses", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      "a",
      "1",
      "-",
      "e",
      ".",
      "null",
      " ",
      '"a"',
      "\ud800",
      "\u0000"
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), parts => {
        const text = parts.join("")
        let valid = true
        try {
          JSON.parse(text)
        } catch {
          valid = false
        }
        assert.strictEqual(codeOf(text) === "INVALID_JSON", !valid)
      }),
      { numRuns: 2000 }
    )
  })
})
