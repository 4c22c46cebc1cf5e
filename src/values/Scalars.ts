/** The scalar types that every room shares, each parsed once at the border and branded inside. */
import { ParseResult, Schema } from "effect"
import { checksummed } from "./Checksum.ts"

export const MAX_SAFE = Number.MAX_SAFE_INTEGER

const matching = (pattern: RegExp, identifier: string, description: string) =>
  Schema.String.pipe(Schema.pattern(pattern)).annotations({
    identifier,
    description,
    message: () => description
  })

export const ChainId = Schema.Int.pipe(Schema.between(1, MAX_SAFE)).annotations({
  identifier: "ChainId",
  description: "an EVM chain id, a positive integer up to 2^53-1"
})

export const Hex = Schema.TemplateLiteral("0x", Schema.String)
  .pipe(Schema.pattern(/^0x(?:[0-9a-f]{2})*$/))
  .annotations({ identifier: "Hex", description: "lower-case hexadecimal bytes with 0x" })
export type Hex = typeof Hex.Type

export const Bytes32 = Schema.TemplateLiteral("0x", Schema.String)
  .pipe(Schema.pattern(/^0x[0-9a-f]{64}$/))
  .annotations({ identifier: "Bytes32", description: "32 lower-case hexadecimal bytes with 0x" })
export type Bytes32 = typeof Bytes32.Type

export type Address = `0x${string}`

const LOWER_ADDRESS = /^0x[0-9a-f]{40}$/

/** As the database keeps them. */
export const LowerAddress = Schema.String.pipe(Schema.pattern(LOWER_ADDRESS))

const ADDRESS_SHAPE =
  "an EVM address: 0x and 40 hexadecimal digits; mixed case must carry a right EIP-55 checksum"

const parseAddress = (text: string): Address | undefined => {
  const lower = text.toLowerCase()
  if (!text.startsWith("0x") || !LOWER_ADDRESS.test(lower)) return undefined
  const digits = text.slice(2)
  const proper = checksummed(lower)
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return oneCase || text === proper ? proper : undefined
}

const CheckedAddress = Schema.TemplateLiteral("0x", Schema.String).annotations({
  identifier: "Address",
  description: ADDRESS_SHAPE
})

/** Accepts any case, refuses a wrong checksum, yields the EIP-55 form. */
export const Address = Schema.transformOrFail(
  Schema.String.annotations({
    identifier: "Address",
    description: ADDRESS_SHAPE,
    jsonSchema: { type: "string", pattern: "^0x[0-9a-fA-F]{40}$", description: ADDRESS_SHAPE }
  }),
  Schema.typeSchema(CheckedAddress),
  {
    strict: true,
    decode: (text, _, ast) => {
      const address = parseAddress(text)
      return address === undefined
        ? ParseResult.fail(new ParseResult.Type(ast, text, ADDRESS_SHAPE))
        : ParseResult.succeed(address)
    },
    encode: address => ParseResult.succeed(address)
  }
).annotations({ identifier: "Address", description: ADDRESS_SHAPE })

export const ZERO_ADDRESS: Address = "0x0000000000000000000000000000000000000000"

/** As events index it. */
export const addressWord = (address: Address): Bytes32 =>
  `0x${address.slice(2).toLowerCase().padStart(64, "0")}`

const UINT256_LIMIT = 1n << 256n

export const Uint256 = Schema.String.pipe(
  Schema.pattern(/^(?:0|[1-9][0-9]{0,77})$/),
  Schema.filter(text => BigInt(text) < UINT256_LIMIT, { jsonSchema: {} })
).annotations({ identifier: "Uint256", description: "a canonical decimal string of at most 256 bits" })

export const PositiveUint256 = Schema.String.pipe(
  Schema.pattern(/^[1-9][0-9]{0,77}$/),
  Schema.filter(text => BigInt(text) < UINT256_LIMIT, { jsonSchema: {} })
).annotations({
  identifier: "PositiveUint256",
  description: "a canonical decimal string above zero of at most 256 bits"
})

export const Sha256 = matching(
  /^[0-9a-f]{64}$/,
  "Sha256",
  "64 lower-case hexadecimal digits of a SHA-256 hash"
)

export const UnixSeconds = Schema.Int.pipe(Schema.between(0, MAX_SAFE)).annotations({
  identifier: "UnixSeconds",
  description: "Unix time in seconds"
})

export const UnixMillis = Schema.Int.pipe(Schema.between(0, MAX_SAFE)).annotations({
  identifier: "UnixMillis",
  description: "Unix time in milliseconds"
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const GrantId = matching(UUID, "GrantId", "a lower-case UUID")
export const PlanId = matching(UUID, "PlanId", "a lower-case UUID")
export const IntentId = matching(UUID, "IntentId", "a lower-case UUID")

export const AccountId = Schema.String.pipe(
  Schema.pattern(/^eip155:[1-9][0-9]{0,15}:0x[0-9a-f]{40}$/),
  Schema.filter(id => Number(id.split(":")[1]) <= MAX_SAFE, { jsonSchema: {} })
).annotations({
  identifier: "AccountId",
  description: "eip155:<authority chain id>:<lower-case owner address>"
})
