/** The published values of wallets of several owners. */
import { readFileSync } from "node:fs"
import { Schema } from "effect"
import { isAddress, isHex } from "viem"
import type { Address, Hex } from "../../../src/values/Scalars.ts"

const Text = Schema.String
const HexText = Schema.declare((value): value is Hex => isHex(value))
const AddressText = Schema.declare((value): value is Address => typeof value === "string" && isAddress(value))
const Hashed = Schema.Struct({ canonical: Text, hash: HexText })
const Members = Schema.Array(Schema.Struct({ name: Text, type: Text }))
const Signatures = Schema.Array(Schema.Struct({ signer: AddressText, signature: HexText }))

const own = {
  sender: AddressText,
  nonce: HexText,
  callData: HexText,
  callGasLimit: HexText,
  verificationGasLimit: HexText,
  preVerificationGas: HexText,
  maxFeePerGas: HexText,
  maxPriorityFeePerGas: HexText,
  signature: HexText
}

const paid = {
  paymaster: AddressText,
  paymasterVerificationGasLimit: HexText,
  paymasterPostOpGasLimit: HexText,
  paymasterData: HexText
}

const Published = Schema.parseJson(
  Schema.Struct({
    keys: Schema.Array(Schema.Struct({ label: Text, privateKey: HexText, address: AddressText })),
    chainId: Schema.Number,
    contracts: Schema.Struct({
      singleton: AddressText,
      factory: AddressText,
      adapter: AddressText,
      launchpad: AddressText,
      entryPoint: AddressText,
      proxyInitCodeHash: HexText
    }),
    creation: Schema.Struct({
      vectors: Schema.Array(
        Schema.Struct({
          name: Text,
          adapterDialect: Schema.Literal("safe7579-4", "safe7579-1"),
          owners: Schema.Array(AddressText),
          threshold: Schema.Number,
          saltNonce: Text,
          validators: Schema.Array(AddressText),
          initializer: HexText,
          initializerHash: HexText,
          salt: HexText,
          address: AddressText,
          calldata: HexText
        })
      )
    }),
    binding: Schema.Struct({
      audience: Text,
      types: Schema.Struct({ BindSmartAccount: Members }),
      state: Hashed,
      bindingId: Hashed,
      domain: Schema.Struct({
        name: Text,
        version: Text,
        chainId: Schema.Number,
        verifyingContract: AddressText,
        salt: HexText
      }),
      message: Schema.Struct({
        accountId: Text,
        owner: AddressText,
        stateHash: HexText,
        nonce: HexText,
        expiresAt: Schema.Number
      }),
      digest: HexText,
      signatures: Signatures,
      packedSignatures: HexText
    }),
    execution: Schema.Struct({
      selector: HexText,
      vectors: Schema.Array(
        Schema.Struct({
          name: Text,
          calls: Schema.Array(Schema.Struct({ to: AddressText, value: Text, data: HexText })),
          calldata: HexText
        })
      )
    }),
    operation: Schema.Struct({
      types: Schema.Struct({ SafeOp: Members }),
      vectors: Schema.Array(
        Schema.Struct({
          name: Text,
          operation: Schema.Union(Schema.Struct({ ...own, ...paid }), Schema.Struct(own)),
          packed: Schema.Struct({
            accountGasLimits: HexText,
            gasFees: HexText,
            paymasterAndData: HexText
          }),
          hash: HexText,
          owners: Schema.Struct({
            validAfter: Schema.Number,
            validUntil: Schema.Number,
            digest: HexText,
            signatures: Signatures,
            envelope: HexText
          })
        })
      )
    })
  })
)

export const published = Schema.decodeSync(Published)(
  readFileSync("schema/vectors/smart-accounts.json", "utf8")
)
