/** Who made a signature, and which classic mistake explains it when that is not the claimed signer. */
import { recoverAddress } from "viem"
import { normalisedSignature } from "../client/Signer.ts"
import { mistakes } from "../signatures/Mistakes.ts"
import { toHex } from "../values/TypedDataHash.ts"
import type { SignedParts } from "./SignedParts.ts"

export interface SignatureFinding {
  readonly recovered: string | undefined
  readonly valid: boolean
  readonly likelyCause: string | undefined
}

const recovered = async (hash: `0x${string}`, signature: string): Promise<string | undefined> => {
  try {
    return await recoverAddress({ hash, signature: `0x${signature.slice(2)}` })
  } catch {
    return undefined
  }
}

const STANDARD = /^0x[0-9a-fA-F]{128}(?:1b|1c|1B|1C)$/

/** `otherChainIds` are chains that the wallet may have been connected to instead. */
export const findCause = async (
  { signed, chainId, body }: SignedParts,
  digest: `0x${string}`,
  signature: string
): Promise<SignatureFinding> => {
  const isSigner = (address: string | undefined) => address?.toLowerCase() === signed.signer.toLowerCase()
  const usable = normalisedSignature(signature)
  const by = await recovered(digest, usable)
  if (isSigner(by)) {
    const standard = STANDARD.test(signature)
    return { recovered: by, valid: standard, likelyCause: standard ? undefined : "recovery-id-0-1" }
  }
  const view = { signed, chainId, body: new TextEncoder().encode(body), otherChainIds: [1, 31_337] }
  for (const { cause, digest: mistaken } of mistakes(view))
    if (isSigner(await recovered(toHex(mistaken()), usable)))
      return { recovered: by, valid: false, likelyCause: cause }
  return { recovered: by, valid: false, likelyCause: undefined }
}
