/** One good approval to be spoilt in every way, and the owner's hand to sign with. */
import { keccak256, stringToBytes, type TypedDataDomain } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { type Approved, TRANSACTION_APPROVAL } from "../../support/StepApproval.ts"

export interface Mutant {
  readonly name: string
  /** The problem that must answer it. */
  readonly code: string
  readonly given: unknown
  /** Replaces the approval's own JSON where no value can say it. */
  readonly text?: string
}

export interface Ground {
  readonly audience: string
  readonly owner: PrivateKeyAccount
  readonly bot: PrivateKeyAccount
  readonly stranger: PrivateKeyAccount
  readonly approved: Approved
  readonly target: string
  readonly submittedBody: string
}

export type Hex = `0x${string}`
export type Signed = Approved & { readonly signature: Hex }

export const SIGNATURE = "INVALID_OWNER_APPROVAL_SIGNATURE"
export const MISMATCH = "OWNER_APPROVAL_MISMATCH"
export const SHAPE = "INVALID_OWNER_APPROVAL"

export const domainOf = (audience: string, over: TypedDataDomain = {}): TypedDataDomain => ({
  name: "Service REST",
  version: "1",
  chainId: 31337,
  salt: keccak256(stringToBytes(audience)),
  ...over
})

const types = { ServiceTransactionApproval: TRANSACTION_APPROVAL }

export const typedData = (
  { audience }: Ground,
  approved: Approved,
  domain: TypedDataDomain = domainOf(audience)
) => ({
  domain,
  types,
  primaryType: "ServiceTransactionApproval" as const,
  message: {
    ...approved,
    audience,
    issuedAt: BigInt(approved.issuedAt),
    expiresAt: BigInt(approved.expiresAt)
  }
})

export const signedBy = async (
  key: PrivateKeyAccount,
  ground: Ground,
  over: Partial<Approved> = {},
  domain?: TypedDataDomain
): Promise<Signed> => {
  const approved = { ...ground.approved, ...over }
  return { ...approved, signature: await key.signTypedData(typedData(ground, approved, domain)) }
}

export const flipHex = (hex: Hex, bit: number): Hex => {
  const at = 2 + (bit >> 2)
  const digit = Number.parseInt(hex.charAt(at), 16) ^ (1 << (bit & 3))
  return `0x${hex.slice(2, at)}${digit.toString(16)}${hex.slice(at + 1)}`
}

export const every = (bits: number, step: number): ReadonlyArray<number> =>
  Array.from({ length: Math.ceil(bits / step) }, (_, index) => index * step)
