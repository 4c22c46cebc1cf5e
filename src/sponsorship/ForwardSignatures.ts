/** The wallet's signatures of a sponsorship's requests, one for each in their order. */
import { Effect } from "effect"
import { isInRange, recover } from "../signatures/Recover.ts"
import { forwardRequestDigest } from "../values/ForwardRequest.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { fromHex } from "../values/TypedDataHash.ts"
import { submissionHash } from "../values/TypedDataSubmission.ts"
import { ForwardSignatureMismatch, InvalidForwardSignature } from "./refusals.ts"
import type { Authorization } from "./Sponsorship.ts"

export interface SignedSubmission {
  /** Lower case. */
  readonly signatures: ReadonlyArray<string>
  readonly hash: Bytes32
}

const isCanonical = (signature: string): boolean => {
  const bytes = fromHex(signature)
  return (bytes[64] === 27 || bytes[64] === 28) && isInRange(bytes.subarray(0, 64))
}

const checkSigner = Effect.fnUntraced(function* (
  { stepIndex, domain, message }: Authorization,
  signature: string
) {
  if (!isCanonical(signature)) return yield* new InvalidForwardSignature({ context: { stepIndex } })
  const signer = recover(fromHex(forwardRequestDigest(domain, message)), signature)
  if (signer !== message.from.toLowerCase())
    return yield* new ForwardSignatureMismatch({ context: { stepIndex } })
})

export const signedSubmission = Effect.fnUntraced(function* (
  commitment: Bytes32,
  authorizations: ReadonlyArray<Authorization>,
  given: ReadonlyArray<string>
) {
  const signatures = given.map(signature => signature.toLowerCase())
  const hash = submissionHash(commitment, signatures)
  if (hash._tag === "None" || signatures.length !== authorizations.length)
    return yield* new InvalidForwardSignature({ context: { expected: authorizations.length } })
  yield* Effect.forEach(authorizations, (authorization, position) =>
    checkSigner(authorization, signatures[position] ?? "0x")
  )
  const submission: SignedSubmission = { signatures, hash: hash.value }
  return submission
})
