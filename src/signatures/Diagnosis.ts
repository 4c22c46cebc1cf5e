/** What a client whose signature was refused needs to find the difference: the service's view, and a guess where one explains it. */
import { checksummed } from "../values/Checksum.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { type Domain, REQUEST_WINDOW, type ServiceRequest } from "../values/TypedData.ts"
import { domainOf, requestDigest, toHex } from "../values/TypedDataHash.ts"
import type { LikelyCause } from "./LikelyCause.ts"
import { mistakes, type SignedView } from "./Mistakes.ts"
import { recover, recoverRefusedForm } from "./Recover.ts"

export interface RefusedRequest extends SignedView {
  readonly signature: string
  /** Unix seconds. */
  readonly serverTime: number
}

export interface Diagnosis {
  readonly signed: ServiceRequest
  readonly domain: Domain
  readonly digest: Bytes32
  readonly recovered: Address | null
  readonly serverTime: number
  readonly likelyCause?: LikelyCause
}

const isOutsideWindow = ({ signed, serverTime }: RefusedRequest): boolean =>
  signed.issuedAt > serverTime + REQUEST_WINDOW.futureAllowanceSeconds || signed.expiresAt <= serverTime

const likelyCause = (
  refused: RefusedRequest,
  digest: Uint8Array,
  recovered: Address | undefined
): LikelyCause | undefined => {
  const { signed, signature } = refused
  const signer = signed.signer.toLowerCase()
  if (recovered === signer) return isOutsideWindow(refused) ? "clock" : undefined
  if (recoverRefusedForm(digest, signature) === signer) return "recovery-id-0-1"
  if (recovered === undefined) return undefined
  return mistakes(refused).find(mistake => recover(mistake.digest(), signature) === signer)?.cause
}

export const diagnose = (refused: RefusedRequest): Diagnosis => {
  const { signed, chainId, signature, serverTime } = refused
  const digest = requestDigest(signed.audience, chainId, signed)
  const recovered = recover(digest, signature)
  const cause = likelyCause(refused, digest, recovered)
  return {
    signed,
    domain: domainOf(signed.audience, chainId),
    digest: toHex(digest),
    recovered: recovered === undefined ? null : checksummed(recovered),
    serverTime,
    ...(cause && { likelyCause: cause })
  }
}
