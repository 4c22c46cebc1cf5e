/** Random ABI parameters with a JSON argument of that type, and the same value as an independent library takes it. */
import { getAddress } from "ethers"
import fc from "fast-check"
import type { AbiParameter } from "../../../src/catalog/Abi.ts"

export interface Sample {
  readonly parameter: AbiParameter
  readonly argument: unknown
  /** What decoding must give back. */
  readonly normal: unknown
  /** Positional, for the other library. */
  readonly foreign: unknown
}

const scalar = (type: string, value: fc.Arbitrary<string>): fc.Arbitrary<Sample> =>
  value.map(text => ({ parameter: { name: "", type }, argument: text, normal: text, foreign: text }))

const integer = (signed: boolean, bits: number): fc.Arbitrary<Sample> => {
  const half = 1n << BigInt(bits - 1)
  const [min, max] = signed ? [-half, half - 1n] : [0n, half * 2n - 1n]
  const value = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, 0n))
  return scalar(`${signed ? "int" : "uint"}${bits}`, value.map(String))
}

const hex = (length: number | { readonly maxLength: number }): fc.Arbitrary<string> =>
  fc
    .uint8Array(typeof length === "number" ? { minLength: length, maxLength: length } : length)
    .map(bytes => `0x${Buffer.from(bytes).toString("hex")}`)

const bool: fc.Arbitrary<Sample> = fc
  .boolean()
  .map(value => ({ parameter: { name: "", type: "bool" }, argument: value, normal: value, foreign: value }))

const address: fc.Arbitrary<Sample> = hex(20).map(lower => ({
  parameter: { name: "", type: "address" },
  argument: lower,
  normal: getAddress(lower),
  foreign: lower
}))

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 32 })).chain(([signed, n]) => integer(signed, n * 8)),
  fc.integer({ min: 1, max: 32 }).chain(length => scalar(`bytes${length}`, hex(length))),
  scalar("bytes", hex({ maxLength: 70 })),
  scalar("string", fc.string({ unit: "binary", maxLength: 40 })),
  bool,
  address
)

/** Items repeat one value, so that they share a type. */
const array = (item: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.tuple(item, fc.integer({ min: 0, max: 3 }), fc.boolean()).map(([sample, count, fixed]) => {
    const size = fixed ? Math.max(count, 1) : count
    const repeat = (value: unknown) => Array<unknown>(size).fill(value)
    return {
      parameter: { ...sample.parameter, type: `${sample.parameter.type}[${fixed ? size : ""}]` },
      argument: repeat(sample.argument),
      normal: repeat(sample.normal),
      foreign: repeat(sample.foreign)
    }
  })

const tuple = (member: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc
    .tuple(fc.array(member, { minLength: 1, maxLength: 4 }), fc.boolean(), fc.boolean())
    .map(([members, named, byName]) => {
      const names = members.map((_, index) => (named ? `m${index}` : ""))
      const object = (pick: (sample: Sample) => unknown) =>
        Object.fromEntries(members.map((sample, index) => [`m${index}`, pick(sample)]))
      const list = (pick: (sample: Sample) => unknown) => members.map(pick)
      return {
        parameter: {
          name: "",
          type: "tuple",
          components: members.map(({ parameter }, index) => ({ ...parameter, name: names[index] ?? "" }))
        },
        argument: named && byName ? object(s => s.argument) : list(s => s.argument),
        normal: named ? object(s => s.normal) : list(s => s.normal),
        foreign: list(s => s.foreign)
      }
    })

const level1 = fc.oneof(leaf, array(leaf), tuple(leaf))
const level2 = fc.oneof(level1, array(level1), tuple(level1))

export const sample: fc.Arbitrary<Sample> = fc.oneof(level2, array(level2), tuple(level2))
