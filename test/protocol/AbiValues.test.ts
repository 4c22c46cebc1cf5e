import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { AbiCoder, ParamType } from "ethers"
import fc from "fast-check"
import type { AbiParameter } from "../../src/catalog/Abi.ts"
import {
  decodeNamedValues,
  decodeValues,
  encodeValues,
  isCanonicalEncoding
} from "../../src/protocol/AbiValues.ts"
import { sample } from "./support/AbiArbitraries.ts"

const other = AbiCoder.defaultAbiCoder()

const encoded = (types: ReadonlyArray<unknown>, values: ReadonlyArray<unknown>): `0x${string}` =>
  `0x${other
    .encode(
      types.map(type => ParamType.from(type)),
      values
    )
    .slice(2)}`

const of = (type: string, components?: ReadonlyArray<AbiParameter>): AbiParameter => ({
  name: "value",
  type,
  ...(components === undefined ? {} : { components })
})

const misfit = (parameters: ReadonlyArray<AbiParameter>, args: unknown) => {
  const refusal = Either.getOrThrow(Either.flip(encodeValues(parameters, args)))
  assert.strictEqual(refusal._tag, "ABI_ARGUMENT_INVALID")
  return refusal.context?.path
}

const word = (digits: string) => `0x${digits.padStart(64, "0")}` as const

describe("ABI values", () => {
  it("encode and decode as an independent library does", () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 4 }), samples => {
        const parameters = samples.map(({ parameter }) => parameter)
        const theirs = encoded(
          parameters,
          samples.map(({ foreign }) => foreign)
        )
        const ours = encodeValues(
          parameters,
          samples.map(({ argument }) => argument)
        )
        assert.deepStrictEqual(ours, Either.right(theirs))
        assert.deepStrictEqual(
          decodeValues(parameters, theirs),
          Either.right(samples.map(({ normal }) => normal))
        )
      }),
      { numRuns: 400 }
    )
  })

  it("name outputs and expand their types", () => {
    const parameters = [of("tuple[]", [of("uint8"), { name: "b", type: "bool" }]), { name: "", type: "int8" }]
    const data = encoded(["tuple(uint8,bool)[]", "int8"], [[[7, true]], -3])
    assert.deepStrictEqual(
      decodeNamedValues(parameters, data),
      Either.right([
        { name: "value", type: "(uint8,bool)[]", value: [{ value: "7", b: true }] },
        { name: null, type: "int8", value: "-3" }
      ])
    )
  })

  it("answer an array for a tuple whose names repeat", () => {
    const parameters = [of("tuple", [of("uint8"), of("uint8")])]
    assert.deepStrictEqual(
      decodeValues(parameters, encoded(["tuple(uint8,uint8)"], [[1, 2]])),
      Either.right([["1", "2"]])
    )
  })
})

describe("ABI arguments", () => {
  it("must be as many as the parameters", () => {
    for (const args of [[], ["1", "2"], {}, null, "1"])
      assert.strictEqual(misfit([of("uint8")], args), "args")
  })

  it("take integers only as canonical decimal strings within their width", () => {
    for (const text of [1, 1n, "256", "-1", "01", "1.0", "1e1", "0x1", "", " 1", "-0", true, null]) {
      assert.strictEqual(misfit([of("uint8")], [text]), "args[0]", String(text))
    }
    for (const text of ["128", "-129", "-0", "+1"])
      assert.strictEqual(misfit([of("int8")], [text]), "args[0]")
    assert.strictEqual(misfit([of("uint256")], [(2n ** 256n).toString()]), "args[0]")
  })

  it("take booleans, exact bytes, well-formed text and checksummed addresses", () => {
    const bad: ReadonlyArray<readonly [string, unknown]> = [
      ["bool", "true"],
      ["bool", 1],
      ["bytes", "0x1"],
      ["bytes", "11"],
      ["bytes4", "0x112233"],
      ["bytes4", "0x1122334455"],
      ["string", "\ud800"],
      ["string", 1],
      ["address", "0x1234"],
      ["address", "0xF39fd6e51aad88F6F4ce6aB8827279cffFb92266"],
      ["uint8[2]", ["1"]],
      ["uint8[]", "1"]
    ]
    for (const [type, value] of bad) assert.strictEqual(misfit([of(type)], [value]), "args[0]", type)
  })

  it("name the path of the first misfit", () => {
    const split = [
      { name: "percent", type: "uint32" },
      { name: "hook", type: "address" }
    ]
    const group = [
      { name: "groupId", type: "uint256" },
      { name: "splits", type: "tuple[]", components: split }
    ]
    const parameters = [of("bool"), of("tuple", group)]
    const splits = [{ percent: "x", hook: word("0") }]
    assert.strictEqual(misfit(parameters, [true, { groupId: "1", splits }]), "args[1].splits[0].percent")
    assert.strictEqual(misfit(parameters, [true, ["1", [["1", "x"]]]]), "args[1][1][0][1]")
    assert.strictEqual(misfit(parameters, [true, { groupId: "1" }]), "args[1]")
    assert.strictEqual(misfit(parameters, [true, { groupId: "1", splits: [], extra: "1" }]), "args[1]")
    assert.strictEqual(misfit(parameters, [true, ["1"]]), "args[1]")
  })

  it("are bounded in items, values, depth and bytes", () => {
    const fits = (parameters: ReadonlyArray<AbiParameter>, args: unknown) =>
      Either.isRight(encodeValues(parameters, args))
    const flags = (count: number) => Array<boolean>(count).fill(true)
    assert.isTrue(fits([of("bool[]")], [flags(1024)]))
    assert.strictEqual(misfit([of("bool[]")], [flags(1025)]), "args[0]")
    const rows = (...counts: ReadonlyArray<number>) => [counts.map(flags)]
    assert.isTrue(fits([of("bool[][]")], rows(1024, 1024, 1024, 1019)))
    assert.strictEqual(misfit([of("bool[][]")], rows(1024, 1024, 1024, 1020)), "args[0][3][1019]")
    const nested = (depth: number) =>
      Array(depth)
        .fill(0)
        .reduce<unknown>(inner => [inner], true)
    assert.isTrue(fits([of(`bool${"[]".repeat(15)}`)], [nested(15)]))
    assert.strictEqual(misfit([of(`bool${"[]".repeat(16)}`)], [nested(16)]), `args[0]${"[0]".repeat(16)}`)
    const text = "é".repeat(65_536)
    assert.isTrue(fits([of("string"), of("bytes")], [text, "0x"]))
    assert.strictEqual(misfit([of("string"), of("bytes")], [text, "0x00"]), "args[1]")
  })
})

describe("an encoding", () => {
  const isCanonical = (type: string, data: `0x${string}`): boolean => {
    const values = decodeValues([of(type)], data)
    return isCanonicalEncoding([of(type)], Either.getOrThrow(values), data)
  }
  const words = (...values: ReadonlyArray<number>): `0x${string}` =>
    `0x${values.map(value => value.toString(16).padStart(64, "0")).join("")}`

  it("is canonical however large it is, and beyond what callers may write", () => {
    assert.isTrue(isCanonical("uint16[]", encoded(["uint16[]"], [Array(5_000).fill(7)])))
    assert.isTrue(isCanonical("string", encoded(["string"], ["é".repeat(70_000)])))
  })

  it("is not with bytes behind it, with a gap, or with one item for two", () => {
    const plain = words(32, 2, 64, 96, 0, 0)
    assert.isTrue(isCanonical("bytes[]", plain))
    assert.isFalse(isCanonical("bytes[]", `${plain}00`))
    assert.isFalse(isCanonical("bytes[]", words(64, 0, 2, 64, 96, 0, 0)))
    assert.isFalse(isCanonical("bytes[]", words(32, 2, 64, 64, 0)))
  })
})

describe("returned data", () => {
  const refused = (type: string, data: `0x${string}`) => Either.isLeft(decodeValues([of(type)], data))

  it("is refused where bits lie outside the declared type", () => {
    assert.isTrue(refused("bool", word("2")))
    assert.isTrue(refused("uint8", word("100")))
    assert.isTrue(refused("int8", word("80")))
    assert.isTrue(refused("address", `0x01${"0".repeat(62)}`))
    assert.isTrue(refused("bytes4", `0x${"11".repeat(5)}${"00".repeat(27)}`))
    assert.isFalse(refused("int8", `0x${"f".repeat(64)}`))
  })

  it("is refused where it is short, points outside itself or is not UTF-8", () => {
    const whole = encoded(["string"], ["hello"])
    assert.isFalse(refused("string", whole))
    for (let end = 2; end < whole.length - 54; end += 2) {
      assert.isTrue(refused("string", `0x${whole.slice(2, end)}`), String(end))
    }
    assert.isTrue(refused("string", `0x${"f".repeat(64)}`))
    assert.isTrue(refused("string", encoded(["bytes"], ["0xff"])))
    assert.isTrue(refused("uint256[]", `0x${word("20").slice(2)}${"f".repeat(64)}`))
  })
})
