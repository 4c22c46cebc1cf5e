/** Whose key signed an intent's content hash as a personal message (EIP-191); contracts cannot publish. */
import { recover, recoverRefusedForm } from "../signatures/Recover.ts"
import { checksummed } from "../values/Checksum.ts"
import { keccak256Bytes } from "../values/Keccak.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { messageOf } from "./Envelope.ts"

const COMPACT_LENGTH = 130

const personalDigest = (message: string): Uint8Array => {
  const bytes = Buffer.from(message)
  return keccak256Bytes(
    Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes])
  )
}

/** Takes 65 bytes with v 27 or 28, and the 64 bytes of EIP-2098. */
export const publisherOf = (contentHash: Bytes32, signature: string): Address | undefined => {
  const digest = personalDigest(messageOf(contentHash))
  const signer =
    signature.length === COMPACT_LENGTH ? recoverRefusedForm(digest, signature) : recover(digest, signature)
  return signer && checksummed(signer)
}
