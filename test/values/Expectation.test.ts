import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { Scopes } from "../../src/accounts/Account.ts"
import { misfitOf } from "../../src/values/Expectation.ts"
import { Address, PlanId, Uint256 } from "../../src/values/Scalars.ts"

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

  it("is the form of what is missing", () => {
    const missing = (member: Schema.Schema.AnyNoContext) =>
      misfitOf(Either.getOrThrow(Either.flip(Schema.decodeUnknownEither(Schema.Struct({ member }))({}))))
        .expected
    assert.strictEqual(missing(PlanId), "a lower-case UUID; it is missing")
    assert.match(missing(Address), /^an EVM address: .*; it is missing$/)
    assert.strictEqual(missing(One), "an object; it is missing")
    assert.strictEqual(missing(Schema.Array(One)), "a list; it is missing")
    assert.strictEqual(missing(Schema.NullOr(One)), "an object or null; it is missing")
    const documented = Schema.String.annotations({ jsonSchema: { description: "what it takes" } })
    assert.strictEqual(missing(documented), "what it takes; it is missing")
    assert.strictEqual(missing(Network), "mainnet or testnet; it is missing")
  })

  it("is an object where none was given, whatever its members are", () => {
    const standard = Schema.Struct({ text: Schema.optionalWith(Schema.String, { default: () => "" }) })
    for (const schema of [One, Schema.Union(One, Two), standard])
      for (const value of [null, "x", 5, []])
        assert.deepStrictEqual(expectedOf(schema, value), ["", "an object"], JSON.stringify(value))
  })

  it("is what a named type says of itself, and what a schema says for its parts", () => {
    const uint256 = "a canonical decimal string of at most 256 bits"
    assert.deepStrictEqual(expectedOf(Uint256, "01"), ["", `Expected ${uint256}, actual "01"`])
    assert.deepStrictEqual(expectedOf(Schema.Struct({ value: Uint256 }), { value: 5 }), [
      "value",
      `Expected ${uint256}, actual 5`
    ])
    const lists = 'one of ["read"], ["read","plan"] and ["read","plan","relay"]'
    for (const scopes of ["read", ["plan"], ["read", "relay"], []])
      assert.deepStrictEqual(expectedOf(Schema.Struct({ scopes: Scopes }), { scopes }), ["scopes", lists])
  })

  it("tells positions of lists as numbers", () => {
    const [a, b, c] = [Schema.Literal("a"), Schema.Literal("b"), Schema.Literal("c")]
    const either = Schema.Struct({ list: Schema.Union(Schema.Tuple(a, b), Schema.Tuple(a, b, c)) })
    const fault = Either.flip(Schema.decodeUnknownEither(either)({ list: ["a", "x"] }))
    assert.deepStrictEqual(misfitOf(Either.getOrThrow(fault)).path, ["list", 1])
  })

  it("is told without looking into what was given", () => {
    let looks = 0
    const given = Object.defineProperty({}, "member", { enumerable: true, get: () => ++looks })
    const operation = Schema.Literal(...Array.from({ length: 19 }, (_, at) => `operation-${at}`))
    assert.match(String(expectedOf(Schema.Struct({ operation }), { operation: given })[1]), /^operation-0, /)
    assert.deepStrictEqual(expectedOf(Schema.Struct({ text: Schema.String }), { text: given }), [
      "text",
      "Expected string, actual an object"
    ])
    assert.strictEqual(looks, 0)
    const [, long = ""] = expectedOf(Schema.Int, "x".repeat(1_000))
    assert.strictEqual(long, `Expected an integer, actual "${"x".repeat(100)}"`)
  })

  it("is bounded, whatever the choices are", () => {
    const many = Schema.Literal(...Array.from({ length: 500 }, (_, at) => `choice-${at}`))
    assert.strictEqual(expectedOf(many, "x")[1]?.length, 500)
  })
})
