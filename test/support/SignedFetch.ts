/** Signs requests as plain viem encodes them, apart from the service's own encoder and client. */
import { randomBytes } from "node:crypto"
import { type Hex, hashTypedData, keccak256, stringToBytes, toHex } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { nativeKey } from "./NativeKey.ts"
import { assertResponse } from "./OpenApiResponses.ts"

export const SERVICE_REQUEST = [
  { name: "audience", type: "string" },
  { name: "accountId", type: "string" },
  { name: "signer", type: "address" },
  { name: "grantId", type: "string" },
  { name: "method", type: "string" },
  { name: "requestTarget", type: "string" },
  { name: "contentType", type: "string" },
  { name: "bodyHash", type: "bytes32" },
  { name: "issuedAt", type: "uint64" },
  { name: "expiresAt", type: "uint64" },
  { name: "nonce", type: "bytes32" },
  { name: "idempotencyKey", type: "string" }
] as const

export interface Party {
  readonly key: PrivateKeyAccount
  readonly accountId: string
  readonly chainId: number
  readonly grantId?: string
}

export const newOwner = (chainId = 31337): Party => {
  const key = nativeKey()
  return { key, chainId, accountId: `eip155:${chainId}:${key.address.toLowerCase()}` }
}

export const freshNonce = (): Hex => toHex(randomBytes(32))

export interface RequestOptions {
  readonly body?: unknown
  readonly rawBody?: string
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly idempotencyKey?: string
  readonly nonce?: Hex
  readonly issuedAt?: number
  readonly expiresAt?: number
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const serviceDomain = (chainId: number, audience: string) => ({
  name: "Service REST",
  version: "1",
  chainId,
  salt: keccak256(stringToBytes(audience))
})

export const signedInit = async (
  service: { readonly audience: string },
  party: Party,
  method: string,
  target: string,
  options: RequestOptions = {}
) => {
  const text = options.rawBody ?? (options.body === undefined ? "" : JSON.stringify(options.body))
  const hasBody = options.rawBody !== undefined || options.body !== undefined || options.bytes !== undefined
  const contentType = options.contentType ?? (hasBody ? "application/json" : "")
  const issuedAt = options.issuedAt ?? Math.floor(Date.now() / 1000)
  const expiresAt = options.expiresAt ?? issuedAt + 60
  const nonce = options.nonce ?? freshNonce()
  const hash = hashTypedData({
    domain: serviceDomain(party.chainId, service.audience),
    types: { ServiceRequest: SERVICE_REQUEST },
    primaryType: "ServiceRequest",
    message: {
      audience: service.audience,
      accountId: party.accountId,
      signer: party.key.address,
      grantId: party.grantId ?? "",
      method,
      requestTarget: target,
      contentType,
      bodyHash: keccak256(options.bytes ?? stringToBytes(text)),
      issuedAt: BigInt(issuedAt),
      expiresAt: BigInt(expiresAt),
      nonce,
      idempotencyKey: options.idempotencyKey ?? ""
    }
  })
  const signature = await party.key.sign({ hash })
  const headers: Record<string, string> = {
    "X-Service-Account": party.accountId,
    "X-Service-Signer": party.key.address,
    ...(party.grantId === undefined ? {} : { "X-Service-Grant": party.grantId }),
    "X-Service-Issued-At": String(issuedAt),
    "X-Service-Expires-At": String(expiresAt),
    "X-Service-Nonce": nonce,
    "X-Service-Signature": signature,
    ...(contentType === "" ? {} : { "Content-Type": contentType }),
    ...(options.idempotencyKey === undefined ? {} : { "Idempotency-Key": options.idempotencyKey }),
    ...options.headers
  }
  return hasBody ? { method, headers, body: options.bytes ?? text } : { method, headers }
}

/** Every answer is also checked against the API's description. */
export const signedFetch = async (
  service: { readonly url: string; readonly audience: string },
  party: Party,
  method: string,
  target: string,
  options: RequestOptions = {}
): Promise<Response> => {
  const response = await fetch(
    `${service.url}${target}`,
    await signedInit(service, party, method, target, options)
  )
  return assertResponse(response, method, target)
}
