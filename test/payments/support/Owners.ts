/** Contracts that own wallets by a passkey, placed on a local chain. */
import { type Address, encodeDeployData, getAddress, type Hex, isHex, keccak256 } from "viem"
import { assert } from "vitest"
import owner from "../../../sandbox/artifacts/PasskeyOwner.json" with { type: "json" }
import { type Acting, stranger } from "../../sandbox/support/Sandbox.ts"
import type { HeldPasskey } from "./Passkeys.ts"

const bytecode: Hex = isHex(owner.bytecode) ? owner.bytecode : assert.fail("the artifact has no code")

export const ownerAbi = [
  {
    type: "constructor",
    stateMutability: "nonpayable",
    inputs: [
      { name: "x", type: "bytes32" },
      { name: "y", type: "bytes32" }
    ]
  },
  {
    type: "function",
    name: "isValidSignature",
    stateMutability: "view",
    inputs: [
      { name: "hash", type: "bytes32" },
      { name: "signature", type: "bytes" }
    ],
    outputs: [{ name: "", type: "bytes4" }]
  }
] as const

/** What Safe asks; another function by its parameters. */
export const safeOwnerAbi = [
  {
    type: "function",
    name: "isValidSignature",
    stateMutability: "view",
    inputs: [
      { name: "data", type: "bytes" },
      { name: "signature", type: "bytes" }
    ],
    outputs: [{ name: "", type: "bytes4" }]
  }
] as const

export const creationOf = ({ x, y }: Pick<HeldPasskey, "x" | "y">): Hex =>
  encodeDeployData({ abi: ownerAbi, bytecode, args: [x, y] })

export interface PlacedOwner {
  readonly address: Address
  readonly runtimeCodeHash: Hex
  readonly source: string
}

export const placeOwner = async (
  { client, mined }: Pick<Acting, "client" | "mined">,
  passkey: Pick<HeldPasskey, "x" | "y">
): Promise<PlacedOwner> => {
  const { contractAddress } = await mined(
    client.sendTransaction({ account: stranger, data: creationOf(passkey), to: null })
  )
  const address = getAddress(contractAddress ?? assert.fail("no owner was placed"))
  const code = (await client.getCode({ address })) ?? assert.fail("the owner has no code")
  return {
    address,
    runtimeCodeHash: keccak256(code),
    source: "sandbox/contracts/PasskeyOwner.sol:PasskeyOwner"
  }
}
