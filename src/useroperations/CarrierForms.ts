/** Numbers and bytes as bundlers and paymasters write them: a library that counts in whole bytes puts a zero before, and some write upper-case digits. */
import { Schema } from "effect"
import { quantity } from "../chain/Wire.ts"
import { Bytes32, Hex } from "../values/Scalars.ts"

const Prefixed = Schema.TemplateLiteral("0x", Schema.String)

export const CarrierQuantity = Schema.transform(
  Prefixed.pipe(Schema.pattern(/^0x[0-9a-fA-F]{1,64}$/)),
  Schema.BigIntFromSelf,
  { strict: true, decode: text => BigInt(text), encode: quantity }
)

const lower = (text: `0x${string}`): Hex => `0x${text.slice(2).toLowerCase()}`

export const CarrierBytes = Schema.transform(Prefixed, Hex, {
  strict: true,
  decode: lower,
  encode: bytes => bytes
})

export const CarrierBytes32 = Schema.transform(Prefixed, Bytes32, {
  strict: true,
  decode: lower,
  encode: bytes => bytes
})
