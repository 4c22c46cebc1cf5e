/** What the inputs of several operations are made of. */
import { Schema } from "effect"
import { integerPattern } from "../../../catalog/IntegerPattern.ts"
import { Address, ChainId, PositiveUint256, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"

export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

export const withDefault = <A, I>(schema: Schema.Schema<A, I>, value: A) =>
  Schema.optionalWith(schema, { default: () => value })

/** Without the name that Schema.Int has, which would be a schema of its own in every description. */
export const int = (low: number, high: number) =>
  Schema.Number.pipe(Schema.int(), Schema.between(low, high)).annotations({
    description: `an integer from ${low} to ${high}`
  })

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
export const uint = (bits: number, lowest: 0 | 1 = 0) => {
  const pattern = integerPattern(false, bits)
  const digits = new RegExp(lowest === 0 ? pattern : pattern.replace("^(?:0|", "^(?:"))
  const name = `${lowest === 0 ? "Uint" : "PositiveUint"}${bits}`
  const description = `a canonical decimal string ${lowest === 0 ? "" : "above zero "}of at most ${bits} bits`
  return Schema.String.pipe(Schema.pattern(digits)).annotations({
    identifier: name,
    description,
    message: () => description
  })
}

export const LONGEST_BYTES = 131_072
const LONGEST_HEX = 2 + 2 * LONGEST_BYTES

const lowerHex = (pattern: RegExp, description: string) =>
  Schema.transform(
    Schema.String.pipe(Schema.pattern(pattern), Schema.maxLength(LONGEST_HEX)).annotations({ description }),
    Schema.TemplateLiteral("0x", Schema.String),
    {
      strict: true,
      decode: (value): `0x${string}` => `0x${value.slice(2).toLowerCase()}`,
      encode: value => value
    }
  ).annotations({ description })

export const Bytes = lowerHex(/^0x(?:[0-9a-fA-F]{2})*$/, "hexadecimal bytes with 0x, at most 128 KiB")
export const Calldata = lowerHex(
  /^0x(?:[0-9a-fA-F]{2}){4,}$/,
  "hexadecimal calldata with 0x, from 4 bytes to 128 KiB"
)
export const Hash = lowerHex(/^0x[0-9a-fA-F]{64}$/, "32 hexadecimal bytes with 0x")

export const SomeAddress = Address.pipe(
  Schema.filter(address => address !== ZERO_ADDRESS || "an address other than zero", { jsonSchema: {} })
)

export const Project = strict({
  chainId: ChainId,
  projectId: PositiveUint256,
  version: withDefault(Schema.Literal(6), 6)
}).annotations({ identifier: "ProjectReference", description: "A project of version 6 on one chain." })

/** In basis points. */
export const MOST_SLIPPAGE = 1000
export const USUAL_SLIPPAGE = 100

export const SlippageBps = withDefault(
  int(0, MOST_SLIPPAGE).annotations({
    description: `basis points from 0 to ${MOST_SLIPPAGE} of the quote that may be lost`
  }),
  USUAL_SLIPPAGE
)

export const NetworkInput = optional(
  Schema.Literal("mainnet", "testnet").annotations({
    description:
      "mainnet or testnet; where it is left out, the only one of which a source is configured, and mainnet where both are"
  })
)

export const limit = (highest = 50, usual = 20) => withDefault(int(1, highest), usual)

export const Cursor = optional(
  text(1024, 1).annotations({ description: "the cursor that the page before ended with" })
)

export const offset = (highest = Number.MAX_SAFE_INTEGER) => withDefault(int(0, highest), 0)

/** Its length in bytes is judged by the operation, which refuses it with a code of its own. */
export const Memo = withDefault(text(4096), "")

export const Uri = text(4096)
