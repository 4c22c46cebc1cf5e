/** Wei as a provider writes them: in decimal digits, or in hexadecimal ones. */
import { Schema } from "effect"
import { Uint256 } from "../values/Scalars.ts"

const HEXADECIMAL = /^0x[0-9a-fA-F]{1,64}$/

export const ProviderAmount = Schema.transform(Schema.String, Uint256, {
  strict: true,
  decode: told => (HEXADECIMAL.test(told) ? String(BigInt(told)) : told),
  encode: amount => amount
})
