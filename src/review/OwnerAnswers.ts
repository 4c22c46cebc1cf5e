/** Signatures of a wallet's owners, found in whatever text they come in; who made each is computed, not believed. */
import { Signature } from "@noble/secp256k1"
import { getAddress } from "viem"
import { normalisedSignature } from "../client/Signer.ts"
import { keccak256Bytes } from "../values/Keccak.ts"
import type { OwnerPart } from "../values/OwnerEnvelope.ts"
import { fromHex, toHex } from "../values/TypedDataHash.ts"

export interface FoundSignatures {
  readonly parts: ReadonlyArray<OwnerPart>
  /** That no owner made over this digest. */
  readonly strange: number
}

const SIGNATURES = /0x(?:[0-9a-fA-F]{130}|[0-9a-fA-F]{128})(?![0-9a-fA-F])/g

const RECOVERY: Readonly<Record<string, number>> = { "1b": 0, "1c": 1 }

const UNCOMPRESSED = false

/** Undefined where no key made it in the one form that a wallet's contract takes. */
const signerOf = (digest: string, signature: string): string | undefined => {
  const bit = RECOVERY[signature.slice(-2)]
  if (bit === undefined || signature.length !== 132) return undefined
  try {
    const made = Signature.fromCompact(signature.slice(2, -2)).addRecoveryBit(bit)
    if (made.hasHighS()) return undefined
    const key = made.recoverPublicKey(fromHex(digest)).toBytes(UNCOMPRESSED)
    return toHex(keccak256Bytes(key.slice(1)).slice(12))
  } catch {
    return undefined
  }
}

/** One part for each owner, the first found. */
export const signaturesIn = (
  text: string,
  digest: string,
  owners: ReadonlyArray<string>
): FoundSignatures => {
  const texts = text.match(SIGNATURES) ?? []
  const known = new Map(owners.map(owner => [owner.toLowerCase(), getAddress(owner)]))
  const parts = new Map<string, OwnerPart>()
  let strange = 0
  for (const each of texts) {
    const signature: `0x${string}` = `0x${normalisedSignature(each.toLowerCase()).slice(2)}`
    const owner = known.get(signerOf(digest, signature) ?? "")
    if (owner === undefined) strange += 1
    else if (!parts.has(owner)) parts.set(owner, { signer: owner, signature })
  }
  return { parts: [...parts.values()], strange }
}

/** For a file, or to paste. */
export const answerText = (digest: string, { signer, signature }: OwnerPart): string =>
  JSON.stringify({ digest, signer, signature }, null, 2)
