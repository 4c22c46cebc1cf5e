/** Which sponsored submission an approval is for: a preparation's commitment and the forwarding signatures in their order, 1 to 32 of 65 bytes. */
import { Option } from "effect"
import { createSHA256 } from "hash-wasm"
import { canonicalJson } from "./CanonicalJson.ts"
import type { Bytes32 } from "./Scalars.ts"

const hasher = await createSHA256()

const FORWARDING_SIGNATURE = /^0x[0-9a-f]{130}$/
const MAXIMUM_SIGNATURES = 32

export const submissionHash = (
  commitment: Bytes32,
  signatures: ReadonlyArray<string>
): Option.Option<Bytes32> => {
  const lower = signatures.map(signature => signature.toLowerCase())
  const counted = lower.length >= 1 && lower.length <= MAXIMUM_SIGNATURES
  if (!counted || !lower.every(signature => FORWARDING_SIGNATURE.test(signature))) return Option.none()
  const identity = canonicalJson({ commitment: commitment.toLowerCase(), signatures: lower })
  return Option.some<Bytes32>(`0x${hasher.init().update(identity).digest("hex")}`)
}
