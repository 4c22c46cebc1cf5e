import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { canonicalJson, NotCanonical } from "../../src/values/CanonicalJson.ts"

describe("canonical JSON", () => {
  it("sorts keys by UTF-16 code unit and drops undefined members", () => {
    assert.strictEqual(
      canonicalJson({ b: 1, a: [3, { d: null, c: true }], z: undefined }),
      '{"a":[3,{"c":true,"d":null}],"b":1}'
    )
    assert.strictEqual(
      canonicalJson({ "\ufb33": 1, "\ud83d\ude00": 2, "\u20ac": 3, "\r": 4, "1": 5, "10": 6, "2": 7 }),
      '{"\\r":4,"1":5,"10":6,"2":7,"€":3,"😀":2,"\ufb33":1}'
    )
  })

  it("writes big integers as decimal strings and finite numbers as JSON does", () => {
    assert.strictEqual(
      canonicalJson([2n ** 256n, -1n, 1e21, 0.1, -0, 5e-324]),
      `["${2n ** 256n}","-1",1e+21,0.1,0,5e-324]`
    )
  })

  it("escapes as JSON does", () => {
    assert.strictEqual(canonicalJson('\u0000"\\\u2028\ud800é/'), '"\\u0000\\"\\\\\u2028\\ud800é/"')
  })

  it("has no form for anything else", () => {
    class Point {
      readonly x = 1
    }
    const sparse: Array<number> = [1]
    sparse[2] = 3
    for (const value of [
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      () => 1,
      Symbol("a"),
      new Date(0),
      new Map(),
      new Set(),
      new Point(),
      [undefined],
      { a: () => 1 },
      Buffer.from("a"),
      new Uint8Array(1),
      new String("a"),
      sparse
    ])
      assert.throws(() => canonicalJson(value), NotCanonical)
  })

  it("is JSON of the same value, the same for every order of the keys, and its own fixed point", () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled)
      if (typeof value !== "object" || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, member]) => [key, shuffled(member)])
      )
    }
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
        const text = canonicalJson(value)
        assert.deepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
        assert.strictEqual(canonicalJson(shuffled(value)), text)
        assert.strictEqual(canonicalJson(JSON.parse(text)), text)
      }),
      { numRuns: 500 }
    )
  })
})
