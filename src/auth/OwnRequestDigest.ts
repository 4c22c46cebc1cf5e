/** The digest that the request at hand was signed by: it names what its signer asked for, and when. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { Settings } from "../settings/Settings.ts"
import { keccak256 } from "../values/Keccak.ts"
import { requestDigest, toHex } from "../values/TypedDataHash.ts"
import { SignedRequest } from "./SignedRequest.ts"

export const ownRequestDigest = Effect.gen(function* () {
  const { audience } = yield* Settings
  const actor = yield* Principal
  const { method, target, contentType, body, idempotencyKey = "" } = yield* SignedRequest
  const { accountId, signer, issuedAt, expiresAt, nonce, authorityChainId } = actor
  return toHex(
    requestDigest(audience, authorityChainId, {
      accountId,
      signer,
      grantId: actor.kind === "bot" ? actor.grantId : "",
      method,
      requestTarget: target,
      contentType,
      bodyHash: keccak256(body),
      issuedAt,
      expiresAt,
      nonce,
      idempotencyKey
    })
  )
})
