/** The members of a forward request and of the domain that it is signed under. */
import { Schema } from "effect"
import { Address, ChainId, Hex, Uint256 } from "./Scalars.ts"
import { strict } from "./Strict.ts"

const checksummed = Schema.typeSchema(Address)

export const ForwarderDomain = strict({
  name: Schema.String,
  version: Schema.Literal("1"),
  chainId: ChainId,
  verifyingContract: checksummed
}).annotations({ identifier: "ForwarderDomain" })
export type ForwarderDomain = typeof ForwarderDomain.Type

export const ForwardRequest = strict({
  from: checksummed,
  to: checksummed,
  value: Uint256,
  gas: Uint256,
  nonce: Uint256,
  deadline: Uint256,
  data: Hex
}).annotations({ identifier: "ForwardRequest" })
export type ForwardRequest = typeof ForwardRequest.Type
