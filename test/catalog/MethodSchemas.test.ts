import { assert, describe, it } from "@effect/vitest"
import type { AbiParameter } from "../../src/catalog/Abi.ts"
import { methodSchema } from "../../src/catalog/MethodSchemas.ts"
import { accepts } from "./support/JsonSchemaCheck.ts"

const pair: ReadonlyArray<AbiParameter> = [
  { name: "amount", type: "uint8" },
  { name: "to", type: "address" }
]
const SOMEONE = "0x00000000000000000000000000000000000000aa"

const fits = (
  parameters: ReadonlyArray<AbiParameter>,
  value: unknown,
  direction: "input" | "output" = "input"
) => {
  const schema = methodSchema(parameters, direction)
  return accepts(schema, schema, value)
}

describe("method schemas", () => {
  it("have no prefixItems where there is no parameter", () => {
    const schema = methodSchema([], "input")
    assert.notProperty(schema, "prefixItems")
    assert.strictEqual(schema.items, false)
    assert.isTrue(fits([], []))
    assert.isFalse(fits([], ["1"]))
  })

  it("title each position by its parameter and refuse further items", () => {
    const schema = methodSchema(pair, "input")
    assert.deepStrictEqual(
      [schema.prefixItems].flat().map(item => Object(item).title),
      ["amount", "to"]
    )
    assert.isTrue(fits(pair, ["255", SOMEONE]))
    assert.isFalse(fits(pair, ["256", SOMEONE]))
    assert.isFalse(fits(pair, [1, SOMEONE]))
    assert.isFalse(fits(pair, ["1"]))
    assert.isFalse(fits(pair, ["1", SOMEONE, "1"]))
  })

  it("describe tuple[][2] as two lists of tuples", () => {
    const nested = [{ name: "groups", type: "tuple[][2]", components: pair }]
    const one = { amount: "1", to: SOMEONE }
    assert.isTrue(fits(nested, [[[one], []]]))
    assert.isTrue(fits(nested, [[[["1", SOMEONE]], [one, one]]]))
    assert.isFalse(fits(nested, [[[one]]]))
    assert.isFalse(fits(nested, [[[one], [], []]]))
    assert.isFalse(fits(nested, [[[{ amount: "1" }], []]]))
    assert.isFalse(fits(nested, [[[{ ...one, extra: "1" }], []]]))
  })

  it("take only positional arrays for a tuple with an unnamed component", () => {
    const unnamed = [{ name: "", type: "tuple", components: [{ name: "", type: "bool" }, ...pair] }]
    assert.isTrue(fits(unnamed, [[true, "1", SOMEONE]]))
    assert.isFalse(fits(unnamed, [{ amount: "1", to: SOMEONE }]))
  })

  it("give results of named tuples as objects only", () => {
    const result = [{ name: "", type: "tuple", components: pair }]
    assert.isTrue(fits(result, [{ amount: "1", to: SOMEONE }], "output"))
    assert.isFalse(fits(result, [["1", SOMEONE]], "output"))
  })

  it("keep two structs of one name apart", () => {
    const struct = (type: string) => ({
      name: "s",
      type: "tuple",
      internalType: "struct S",
      components: [{ name: "x", type }]
    })
    assert.isTrue(fits([struct("bool"), struct("uint8")], [{ x: true }, { x: "1" }]))
    assert.isFalse(fits([struct("bool"), struct("uint8")], [{ x: true }, { x: true }]))
  })

  it("bound bytes, booleans and long arrays", () => {
    assert.isTrue(fits([{ name: "b", type: "bytes4" }], ["0xABcdef01"]))
    assert.isFalse(fits([{ name: "b", type: "bytes4" }], ["0xabcdef"]))
    assert.isFalse(fits([{ name: "b", type: "bytes" }], ["0xabc"]))
    assert.isFalse(fits([{ name: "b", type: "bool" }], ["true"]))
    assert.isTrue(fits([{ name: "a", type: "bool[]" }], [Array(1024).fill(true)]))
    assert.isFalse(fits([{ name: "a", type: "bool[]" }], [Array(1025).fill(true)]))
  })
})
