import { keccak256 } from "../../src/values/Keccak.ts"
import type { ServiceRequest } from "../../src/values/TypedData.ts"
import { requestDigest } from "../../src/values/TypedDataHash.ts"
import { sign, type TestKey } from "../../test/signatures/TestKeys.ts"
import { AUDIENCE, accountId, type Case, CHAIN, type Hex, NOW, owner, vector, word } from "./Vector.ts"

type RequestFields = Omit<ServiceRequest, "audience">

/** How a request is made, and how the signer may have signed something else. */
export interface Making {
  readonly change?: Partial<RequestFields>
  readonly body?: string | Uint8Array
  readonly audience?: string
  readonly chainId?: number
  readonly serverTime?: number
  readonly key?: TestKey
  readonly sign?: (digest: Uint8Array, message: RequestFields) => Hex
}

const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === "string" ? new TextEncoder().encode(body) : body

const fieldsOf = ({ change, chainId = CHAIN, key = owner }: Making, body: Uint8Array): RequestFields => ({
  accountId: accountId(chainId),
  signer: key.address,
  grantId: "",
  method: body.length === 0 ? "GET" : "POST",
  requestTarget: "/api/v1/capabilities",
  contentType: body.length === 0 ? "" : "application/json",
  bodyHash: keccak256(body),
  issuedAt: NOW,
  expiresAt: NOW + 60,
  nonce: word("5e"),
  idempotencyKey: "",
  ...change
})

const requestCase = (name: string, description: string, making: Making) => {
  const body = bytesOf(making.body ?? "")
  const message = fieldsOf(making, body)
  const { audience = AUDIENCE, chainId = CHAIN, key = owner } = making
  const digest = requestDigest(audience, chainId, message)
  const signature = making.sign?.(digest, message) ?? sign(key, digest)
  const serverTime = making.serverTime ?? NOW
  return { name, description, audience, chainId, message, signer: key.address, signature, serverTime, body }
}

export const accepted = (name: string, description: string, making: Making) => {
  const of: Case<"ServiceRequest"> = {
    ...requestCase(name, description, making),
    problem: null,
    likelyCause: null
  }
  return vector("ServiceRequest", of)
}

export const refused =
  (problem: string) =>
  (name: string, description: string, making: Making, likelyCause: string | null = null) =>
    vector("ServiceRequest", { ...requestCase(name, description, making), problem, likelyCause })

/** Signs the request as it would be after a change. */
export const signedAs =
  (change: Partial<ServiceRequest>, chainId = CHAIN, audience = AUDIENCE) =>
  (_: Uint8Array, message: RequestFields): Hex =>
    sign(owner, requestDigest(change.audience ?? audience, chainId, { ...message, ...change }))
