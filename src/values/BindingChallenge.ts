/** What a wallet's owners sign so that their wallet is bound to an account, in the state that they were shown. */
import { keccak256Utf8 } from "./Keccak.ts"
import type { Address, Bytes32 } from "./Scalars.ts"
import { struct, typedDigest } from "./TypedDataHash.ts"

export interface BindingChallenge {
  readonly accountId: string
  readonly owner: Address
  readonly stateHash: Bytes32
  readonly nonce: Bytes32
  /** Unix time in seconds. */
  readonly expiresAt: number
}

export const challengeDomainMembers = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" }
] as const

export const challengeMembers = [
  { name: "accountId", type: "string" },
  { name: "owner", type: "address" },
  { name: "stateHash", type: "bytes32" },
  { name: "nonce", type: "bytes32" },
  { name: "expiresAt", type: "uint64" }
] as const

interface WalletPlace {
  readonly chainId: number
  readonly address: Address
}

const domainOf = (audience: string, { chainId, address }: WalletPlace) => ({
  name: "Service Smart Account",
  version: "1",
  chainId,
  verifyingContract: address,
  salt: keccak256Utf8(audience.replace(/\/$/, ""))
})

/** For a wallet's `eth_signTypedData_v4`. */
export const challengeTypedData = (audience: string, wallet: WalletPlace, message: BindingChallenge) => ({
  types: { EIP712Domain: challengeDomainMembers, BindSmartAccount: challengeMembers },
  primaryType: "BindSmartAccount" as const,
  domain: domainOf(audience, wallet),
  message
})

const domainStruct = struct("EIP712Domain", challengeDomainMembers)
const challengeStruct = struct("BindSmartAccount", challengeMembers)

export const challengeDigest = (
  audience: string,
  wallet: WalletPlace,
  { accountId, owner, stateHash, nonce, expiresAt }: BindingChallenge
): Bytes32 =>
  typedDigest(domainStruct, domainOf(audience, wallet), challengeStruct, {
    accountId,
    owner,
    stateHash,
    nonce,
    expiresAt
  })
