import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { misfitOf } from "../../src/values/Expectation.ts"

const Network = Schema.Literal("mainnet", "testnet")
const One = Schema.Struct({ kind: Schema.Literal("one"), count: Schema.Int })
const Two = Schema.Struct({ kind: Schema.Literal("two"), text: Schema.String })

const expectedOf = (schema: Schema.Schema.AnyNoContext, value: unknown) => {
  const { path, isMissing, expected } = misfitOf(
    Either.getOrThrow(Either.flip(Schema.decodeUnknownEither(schema)(value)))
  )
  return [path.map(String).join("."), isMissing ? "missing" : expected]
}

describe("what was expected", () => {
  it("names everything that can be chosen, wherever the choice stands", () => {
    const all = "mainnet or testnet"
    const member = { network: "foo" }
    assert.deepStrictEqual(expectedOf(Schema.Struct({ network: Network }), member), ["network", all])
    assert.deepStrictEqual(expectedOf(Schema.Struct({ network: Schema.optional(Network) }), member), [
      "network",
      all
    ])
    const standard = Schema.optionalWith(Network, { default: () => "mainnet" as const })
    assert.deepStrictEqual(expectedOf(Schema.Struct({ network: standard }), { network: 5 }), ["network", all])
    assert.deepStrictEqual(expectedOf(Schema.Array(Network), ["mainnet", "x"]), ["1", all])
    assert.deepStrictEqual(expectedOf(Schema.Literal("a", "b-c", 'say "d"', 7), "x"), [
      "",
      'a, b-c, "say \\"d\\"" or 7'
    ])
    assert.deepStrictEqual(expectedOf(Schema.Union(One, Two), { kind: "three" }), ["kind", "one or two"])
  })

  it("names the choices of what is missing, and nothing where there are none", () => {
    const choicesOf = (schema: Schema.Schema.AnyNoContext, value: unknown) =>
      misfitOf(Either.getOrThrow(Either.flip(Schema.decodeUnknownEither(schema)(value)))).choices
    const all = "mainnet or testnet"
    assert.strictEqual(choicesOf(Schema.Struct({ network: Network }), {}), all)
    assert.strictEqual(choicesOf(Schema.Struct({ at: Schema.Struct({ network: Network }) }), { at: {} }), all)
    assert.strictEqual(choicesOf(Schema.Union(One, Two), {}), "one or two")
    assert.isUndefined(choicesOf(Schema.Struct({ network: Network }), { network: "x" }))
    assert.isUndefined(choicesOf(One, { kind: "one" }))
  })

  it("is what the schema says where there is nothing to choose", () => {
    assert.deepStrictEqual(expectedOf(Schema.Struct({ version: Schema.Literal(6) }), { version: 5 }), [
      "version",
      "Expected 6, actual 5"
    ])
    assert.deepStrictEqual(expectedOf(Schema.Union(One, Two), { kind: "one" }), ["count", "missing"])
    const either = Schema.Union(Network, Schema.Int)
    assert.deepStrictEqual(expectedOf(either, "x"), ["", 'Expected "mainnet", actual "x"'])
  })

  it("is bounded, whatever the choices are", () => {
    const many = Schema.Literal(...Array.from({ length: 500 }, (_, at) => `choice-${at}`))
    assert.strictEqual(expectedOf(many, "x")[1]?.length, 500)
  })
})
