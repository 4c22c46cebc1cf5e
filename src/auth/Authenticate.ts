/** Turns a signed request into a principal: digest, signature, then the ledger; nothing is consumed before the ledger agrees. */
import { Either } from "effect"
import type { Admission, LedgerRequest } from "../accounts/LedgerVerdict.ts"
import type { Actor } from "../accounts/Principal.ts"
import { Forbidden } from "../accounts/refusals.ts"
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

export interface Rights {
  readonly scope: "read" | "plan" | "relay"
  readonly ownerOnly: boolean
  readonly wantsAccount: boolean
}

const HASH_OF_NOTHING = keccak256(new Uint8Array(0))

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

export const ledgerRequest = (headers: SignedHeaders, rights: Rights): LedgerRequest => ({
  accountId: headers.accountId,
  signer: headers.signer,
  grantId: headers.grantId,
  ownerOnly: rights.ownerOnly,
  scope: rights.scope,
  nonce: headers.nonce,
  issuedAt: headers.issuedAt,
  expiresAt: headers.expiresAt,
  wantsAccount: rights.wantsAccount
})

/** The principal of an admitted request; owner authority needs the absent grant and the owner's own signature. */
export const actorOf = (headers: SignedHeaders, admission: Admission): Either.Either<Actor, Forbidden> => {
  const signed = {
    accountId: headers.accountId,
    authorityChainId: headers.authorityChainId,
    ownerAddress: headers.owner,
    signer: headers.signer,
    issuedAt: headers.issuedAt,
    expiresAt: headers.expiresAt,
    nonce: headers.nonce
  }
  if (headers.grantId === undefined) {
    return headers.signer === headers.owner
      ? Either.right({ ...signed, kind: "owner", id: `owner:${headers.accountId}` })
      : Either.left(new Forbidden())
  }
  return admission.scopes === undefined
    ? Either.left(new Forbidden())
    : Either.right({
        ...signed,
        kind: "bot",
        id: `bot:${headers.grantId}`,
        grantId: headers.grantId,
        scopes: admission.scopes
      })
}
