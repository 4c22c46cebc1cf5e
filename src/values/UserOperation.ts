/** A user operation of ERC-4337 v0.7 of a wallet that exists, as bundlers take it. */
import { Schema } from "effect"
import { Address, Hex } from "./Scalars.ts"
import { strict } from "./Strict.ts"

export const MAXIMUM_OPERATION_CALLDATA_BYTES = 65_536
export const MAXIMUM_PAYMASTER_DATA_BYTES = 8_192

const quantity = (bits: number) =>
  Schema.TemplateLiteral("0x", Schema.String)
    .pipe(
      Schema.pattern(/^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/),
      Schema.filter(text => BigInt(text) < 1n << BigInt(bits), { jsonSchema: {} })
    )
    .annotations({
      identifier: `Quantity${bits}`,
      description: `a canonical JSON-RPC quantity of at most ${bits} bits`
    })

export const Quantity128 = quantity(128)
const Quantity256 = quantity(256)

const checksummed = Schema.typeSchema(Address)

const own = {
  sender: checksummed,
  nonce: Quantity256,
  callData: Hex,
  callGasLimit: Quantity128,
  verificationGasLimit: Quantity128,
  preVerificationGas: Quantity256,
  maxFeePerGas: Quantity128,
  maxPriorityFeePerGas: Quantity128
}

const paid = {
  paymaster: checksummed,
  paymasterVerificationGasLimit: Quantity128,
  paymasterPostOpGasLimit: Quantity128,
  paymasterData: Hex
}

const signature = { signature: Hex }

export const UserOperation = Schema.Union(
  strict({ ...own, ...paid, ...signature }),
  strict({ ...own, ...signature })
).annotations({
  identifier: "UnpackedUserOperation",
  description:
    "A user operation of ERC-4337 v0.7, as bundlers take it: all of a paymaster's members, or none."
})
export type UserOperation = typeof UserOperation.Type
