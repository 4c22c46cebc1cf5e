/** Whether a wallet's owners signed, as many as its threshold asks for: keys alone, in the order in which the wallet reads them. */
import { Either } from "effect"
import { recover } from "../signatures/Recover.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import { fromHex } from "../values/TypedDataHash.ts"
import type { WalletOwners } from "./Creation.ts"

/** `form`: v is not 27 or 28, s is high, or nobody can have made it; so are all signatures of contracts and approved hashes. */
export interface OwnerSignatureFault {
  readonly fault: "length" | "form" | "owner" | "order"
  readonly position?: number
}

const SIGNATURE_DIGITS = 2 * 65

const partsOf = (packed: Hex): ReadonlyArray<string> =>
  (packed.slice(2).match(new RegExp(`.{${SIGNATURE_DIGITS}}`, "g")) ?? []).map(digits => `0x${digits}`)

const firstFault = (
  signers: ReadonlyArray<Address | undefined>,
  isOwner: (signer: Address) => boolean
): OwnerSignatureFault | undefined => {
  for (const [position, signer] of signers.entries())
    if (signer === undefined) return { fault: "form", position }
    else if (!isOwner(signer)) return { fault: "owner", position }
  const position = signers.findIndex((signer, at) => at > 0 && (signer ?? "") <= (signers[at - 1] ?? ""))
  return position < 0 ? undefined : { fault: "order", position }
}

/** Succeeds with who signed, in lower case. */
export const ownerSignatures = (
  digest: Bytes32,
  packed: Hex,
  { owners, threshold }: WalletOwners
): Either.Either<ReadonlyArray<Address>, OwnerSignatureFault> => {
  if (packed.length !== 2 + threshold * SIGNATURE_DIGITS) return Either.left({ fault: "length" })
  const signed = fromHex(digest)
  const signers = partsOf(packed).map(signature => recover(signed, signature))
  const known = new Set(owners.map(owner => owner.toLowerCase()))
  const fault = firstFault(signers, signer => known.has(signer))
  return fault === undefined
    ? Either.right(signers.filter(signer => signer !== undefined))
    : Either.left(fault)
}
