/** Turns a signed request into a principal: digest, signature, then the ledger; nothing is consumed before the ledger agrees. */
import { Effect } from "effect"
import type { Admission, LedgerRequest } from "../accounts/LedgerVerdict.ts"
import type { Actor } from "../accounts/Principal.ts"
import { Forbidden } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { Signatures } from "../signatures/Signatures.ts"
import { keccak256 } from "../values/Keccak.ts"
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

export type SignedFields = Omit<ServiceRequest, "audience">

export const signedFields = (headers: SignedHeaders, sent: Transmitted): SignedFields => ({
  accountId: headers.accountId,
  signer: headers.signer,
  grantId: headers.grantId ?? "",
  method: sent.method,
  requestTarget: sent.target,
  contentType: sent.contentType,
  bodyHash: keccak256(sent.body),
  issuedAt: headers.issuedAt,
  expiresAt: headers.expiresAt,
  nonce: headers.nonce,
  idempotencyKey: headers.idempotencyKey ?? ""
})

export const verifySignature = Effect.fnUntraced(function* (headers: SignedHeaders, sent: Transmitted) {
  const { audience } = yield* Settings
  const signatures = yield* Signatures
  const role = headers.grantId === undefined && headers.signer === headers.owner ? "owner" : "bot"
  yield* signatures.verify({
    digest: requestDigest(audience, headers.authorityChainId, signedFields(headers, sent)),
    signature: headers.signature,
    signer: headers.signer,
    role,
    authorityChainId: headers.authorityChainId
  })
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
export const actorOf = (headers: SignedHeaders, admission: Admission): Effect.Effect<Actor, Forbidden> => {
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
      ? Effect.succeed({ ...signed, kind: "owner", id: `owner:${headers.accountId}` })
      : Effect.fail(new Forbidden())
  }
  return admission.scopes === undefined
    ? Effect.fail(new Forbidden())
    : Effect.succeed({
        ...signed,
        kind: "bot",
        id: `bot:${headers.grantId}`,
        grantId: headers.grantId,
        scopes: admission.scopes
      })
}
