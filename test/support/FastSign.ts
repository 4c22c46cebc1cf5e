/** Signs many requests quickly, with the native key of the signature tests, as header lines for fetch or a socket. */
import { freshNonce } from "../../src/client/SignRequest.ts"
import { realSystem } from "../../src/client/System.ts"
import { keccak256 } from "../../src/values/Keccak.ts"
import { botProofDigest, requestDigest } from "../../src/values/TypedDataHash.ts"
import { sign, type TestKey, testKey } from "../signatures/TestKeys.ts"

export interface Signer {
  readonly key: TestKey
  readonly accountId: string
  readonly chainId: number
  readonly grantId?: string
}

export const namedOwner = (label: string, chainId = 31337): Signer => {
  const key = testKey(label)
  return { key, chainId, accountId: `eip155:${chainId}:${key.address}` }
}

export interface Signing {
  readonly audience: string
  readonly method: string
  readonly target: string
  readonly body?: string | Uint8Array
  readonly contentType?: string
  readonly idempotencyKey?: string
  /** Seconds that the signer's clock is ahead. */
  readonly ahead?: number
  /** A fresh one when absent. */
  readonly nonce?: `0x${string}`
  readonly type?: "ServiceRequest" | "ServiceBotProof"
}

const utf8 = new TextEncoder()

const nowSeconds = () => Math.floor(Date.now() / 1000)

const digestOf = (signer: Signer, signing: Signing, nonce: `0x${string}`, issuedAt: number): Uint8Array => {
  const { audience, body = "", contentType = "", idempotencyKey = "" } = signing
  const expiresAt = issuedAt + 60
  if (signing.type === "ServiceBotProof")
    return botProofDigest(audience, signer.chainId, {
      accountId: signer.accountId,
      botAddress: signer.key.address,
      scopes: ["read"],
      expiresAt,
      label: "",
      ownerRequestNonce: nonce
    })
  return requestDigest(audience, signer.chainId, {
    accountId: signer.accountId,
    signer: signer.key.address,
    grantId: signer.grantId ?? "",
    method: signing.method,
    requestTarget: signing.target,
    contentType,
    bodyHash: keccak256(typeof body === "string" ? utf8.encode(body) : body),
    issuedAt,
    expiresAt,
    nonce,
    idempotencyKey
  })
}

export const fastHeaders = (signer: Signer, signing: Signing): Readonly<Record<string, string>> => {
  const nonce = signing.nonce ?? freshNonce(realSystem)
  const issuedAt = nowSeconds() + (signing.ahead ?? 0)
  return {
    "X-Service-Account": signer.accountId,
    "X-Service-Signer": signer.key.address,
    ...(signer.grantId === undefined ? {} : { "X-Service-Grant": signer.grantId }),
    "X-Service-Issued-At": String(issuedAt),
    "X-Service-Expires-At": String(issuedAt + 60),
    "X-Service-Nonce": nonce,
    "X-Service-Signature": sign(signer.key, digestOf(signer, signing, nonce, issuedAt)),
    ...(signing.contentType === undefined ? {} : { "Content-Type": signing.contentType }),
    ...(signing.idempotencyKey === undefined ? {} : { "Idempotency-Key": signing.idempotencyKey })
  }
}
