/** What was transmitted and signed: its fields, their digest as a claim to verify, and the admitted request for those who bind something to it. */
import { Context } from "effect"
import type { Account } from "../accounts/Account.ts"
import type { SignatureClaim } from "../signatures/Signatures.ts"
import { keccak256 } from "../values/Keccak.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import type { ServiceRequest } from "../values/TypedData.ts"
import { requestDigest } from "../values/TypedDataHash.ts"
import type { SignedHeaders } from "./RequestHeaders.ts"

/** What was transmitted, exactly. */
export interface Transmitted {
  readonly method: string
  readonly target: string
  readonly contentType: string
  readonly body: Uint8Array
}

export class SignedRequest extends Context.Tag("auth/SignedRequest")<
  SignedRequest,
  Transmitted & {
    readonly requestId: string
    readonly idempotencyKey: string | undefined
    /** The client address or network that the request counts against. */
    readonly address: string
    /** Where the route asks for it: the account as the ledger saw it under its lock. */
    readonly account: Account | undefined
  }
>() {}

export const NO_BODY = new Uint8Array(0)
const HASH_OF_NOTHING = keccak256(NO_BODY)

const hashes = new WeakMap<Uint8Array, Bytes32>()

/** The same bytes are hashed once, also where a diagnosis asks again. */
const bodyHash = (body: Uint8Array): Bytes32 => {
  if (body.length === 0) return HASH_OF_NOTHING
  const hash = hashes.get(body) ?? keccak256(body)
  hashes.set(body, hash)
  return hash
}

export type SignedFields = Omit<ServiceRequest, "audience">

export const signedFields = (headers: SignedHeaders, sent: Transmitted): SignedFields => ({
  accountId: headers.accountId,
  signer: headers.signer,
  grantId: headers.grantId ?? "",
  method: sent.method,
  requestTarget: sent.target,
  contentType: sent.contentType,
  bodyHash: bodyHash(sent.body),
  issuedAt: headers.issuedAt,
  expiresAt: headers.expiresAt,
  nonce: headers.nonce,
  idempotencyKey: headers.idempotencyKey ?? ""
})

export const signatureClaim = (
  audience: string,
  headers: SignedHeaders,
  sent: Transmitted
): SignatureClaim => ({
  digest: requestDigest(audience, headers.authorityChainId, signedFields(headers, sent)),
  signature: headers.signature,
  signer: headers.signer,
  role: headers.grantId === undefined && headers.signer === headers.owner ? "owner" : "bot",
  authorityChainId: headers.authorityChainId
})
