/** What a caller may compare whose signature within a body was refused. */
import { checksummed } from "../values/Checksum.ts"
import { toHex } from "../values/TypedDataHash.ts"
import type { LikelyCause } from "./LikelyCause.ts"
import { recover, recoverRefusedForm } from "./Recover.ts"

const REFUSED_FORM: LikelyCause = "recovery-id-0-1"

export const refusedSignature = (digest: Uint8Array, signature: string, signer: string) => {
  const recovered = recover(digest, signature)
  const isOtherForm = recoverRefusedForm(digest, signature) === signer.toLowerCase()
  return {
    digest: toHex(digest),
    recovered: recovered === undefined ? null : checksummed(recovered),
    ...(isOtherForm && { likelyCause: REFUSED_FORM })
  }
}
