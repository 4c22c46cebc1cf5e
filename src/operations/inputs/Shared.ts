/** What the inputs of several operations are made of. */
import { Schema } from "effect"
import { Address, ChainId, PositiveUint256, Uint256, ZERO_ADDRESS } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"

export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

export const withDefault = <A, I>(schema: Schema.Schema<A, I>, value: A) =>
  Schema.optionalWith(schema, { default: () => value })

export const int = (low: number, high: number) => Schema.Int.pipe(Schema.between(low, high))

export const text = (longest: number, shortest = 0) =>
  shortest === 0
    ? Schema.String.pipe(Schema.maxLength(longest))
    : Schema.String.pipe(Schema.minLength(shortest), Schema.maxLength(longest))

export const list = <A, I>(item: Schema.Schema<A, I>, longest: number, shortest = 0) =>
  shortest === 0
    ? Schema.Array(item).pipe(Schema.maxItems(longest))
    : Schema.Array(item).pipe(Schema.minItems(shortest), Schema.maxItems(longest))

/** A list in which no two items have the same key. */
export const distinct = <A, I>(
  items: Schema.Schema<ReadonlyArray<A>, I>,
  key: (item: A) => unknown = item => item
) =>
  items.pipe(
    Schema.filter(values => new Set(values.map(key)).size === values.length || "items that all differ", {
      jsonSchema: { uniqueItems: true }
    })
  )

/** A uint of fewer bits than a word. */
export const uint = (bits: number, lowest: 0 | 1 = 0) =>
  (lowest === 0 ? Uint256 : PositiveUint256).pipe(
    Schema.filter(value => BigInt(value) < 1n << BigInt(bits) || `a decimal string of at most ${bits} bits`, {
      jsonSchema: { description: `a canonical decimal string of at most ${bits} bits` }
    })
  )

const LONGEST_HEX = 262_146

const lowerHex = (pattern: RegExp, description: string) =>
  Schema.transform(
    Schema.String.pipe(Schema.pattern(pattern), Schema.maxLength(LONGEST_HEX)).annotations({ description }),
    Schema.TemplateLiteral("0x", Schema.String),
    {
      strict: true,
      decode: (value): `0x${string}` => `0x${value.slice(2).toLowerCase()}`,
      encode: value => value
    }
  )

export const Bytes = lowerHex(/^0x(?:[0-9a-fA-F]{2})*$/, "hexadecimal bytes with 0x, at most 128 KiB")
export const Hash = lowerHex(/^0x[0-9a-fA-F]{64}$/, "32 hexadecimal bytes with 0x")

export const SomeAddress = Address.pipe(
  Schema.filter(address => address !== ZERO_ADDRESS || "an address other than zero", { jsonSchema: {} })
)

export const Project = strict({
  chainId: ChainId,
  projectId: PositiveUint256,
  version: withDefault(Schema.Literal(6), 6)
}).annotations({ identifier: "ProjectReference", description: "A project of version 6 on one chain." })

export const SlippageBps = withDefault(
  int(0, 1000).annotations({ description: "basis points of the quote that may be lost" }),
  100
)

export const Network = withDefault(Schema.Literal("mainnet", "testnet"), "mainnet")

export const limit = (highest = 50, usual = 20) => withDefault(int(1, highest), usual)

export const Cursor = optional(
  text(1024, 1).annotations({ description: "the cursor that the page before ended with" })
)

export const offset = (highest = Number.MAX_SAFE_INTEGER) => withDefault(int(0, highest), 0)
