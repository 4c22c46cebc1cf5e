/** Signatures of a wallet's owners, found in whatever text they come in; who made each is computed, not believed. */
import { parseSignature, recoverAddress } from "viem"
import { normalisedSignature } from "../client/Signer.ts"
import type { OwnerPart } from "../values/OwnerEnvelope.ts"

export interface FoundSignatures {
  readonly parts: ReadonlyArray<OwnerPart>
  /** That no owner made over this digest. */
  readonly strange: number
}

const SIGNATURES = /0x(?:[0-9a-fA-F]{130}|[0-9a-fA-F]{128})(?![0-9a-fA-F])/g

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const isLow = (signature: `0x${string}`): boolean => BigInt(parseSignature(signature).s) <= HALF_ORDER

/** Undefined where no key made it in the one form that a wallet's contract takes. */
const partIn = async (digest: `0x${string}`, text: string): Promise<OwnerPart | undefined> => {
  const signature: `0x${string}` = `0x${normalisedSignature(text.toLowerCase()).slice(2)}`
  if (!/(?:1b|1c)$/.test(signature)) return undefined
  try {
    return isLow(signature)
      ? { signer: await recoverAddress({ hash: digest, signature }), signature }
      : undefined
  } catch {
    return undefined
  }
}

/** One part for each owner, the first found. */
export const signaturesIn = async (
  text: string,
  digest: `0x${string}`,
  owners: ReadonlyArray<string>
): Promise<FoundSignatures> => {
  const texts = text.match(SIGNATURES) ?? []
  const known = new Set(owners.map(owner => owner.toLowerCase()))
  const parts = new Map<string, OwnerPart>()
  let strange = 0
  for (const each of texts) {
    const part = await partIn(digest, each)
    const signer = part?.signer.toLowerCase() ?? ""
    if (part === undefined || !known.has(signer)) strange += 1
    else if (!parts.has(signer)) parts.set(signer, part)
  }
  return { parts: [...parts.values()], strange }
}

/** For a file, or to paste. */
export const answerText = (digest: string, { signer, signature }: OwnerPart): string =>
  JSON.stringify({ digest, signer, signature }, null, 2)
