/** Signs one HTTP request: the twelve fields of `ServiceRequest` from exactly what will be sent. */
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import type { Domain } from "../values/TypedData.ts"
import { domainOf, toHex } from "../values/TypedDataHash.ts"
import { ClientMisuse } from "./Errors.ts"
import { type Signer, signMessage } from "./Signer.ts"
import type { System } from "./System.ts"

export interface SignerIdentity {
  readonly audience: string
  readonly accountId: string
  readonly signer: Signer
  /** Absent for the owner. */
  readonly grantId?: string | undefined
}

export interface Outgoing {
  readonly method: string
  readonly target: string
  readonly body?: string | undefined
  readonly contentType?: string | undefined
  readonly idempotencyKey?: string | undefined
}

export interface SigningWindow {
  /** Unix seconds. */
  readonly issuedAt: number
  /** Unix seconds. */
  readonly expiresAt: number
  readonly nonce: Bytes32
}

const ACCOUNT = /^eip155:([1-9][0-9]{0,15}):(0x[0-9a-f]{40})$/

/** The signing domain of an account: the service's audience on the account's authority chain. */
export const domainFor = (audience: string, accountId: string): Domain =>
  domainOf(audience, partsOfAccount(accountId).chainId)

/** The authority chain and the owner's lower-case address that an account id names. */
export const partsOfAccount = (accountId: string): { readonly chainId: number; readonly owner: string } => {
  const [, chain, owner] = ACCOUNT.exec(accountId) ?? []
  if (owner === undefined)
    throw new ClientMisuse(
      `"${accountId}" is no account id: eip155:<authority chain id>:<lower-case owner address>.`
    )
  return { chainId: Number(chain), owner }
}

const isAddress = (text: string): text is Address => /^0x[0-9a-fA-F]{40}$/.test(text)

export const addressOf = (text: string): Address => {
  if (!isAddress(text)) throw new ClientMisuse(`"${text}" is no address.`)
  return text
}

export const freshNonce = (system: System): Bytes32 => toHex(system.randomBytes(32))

/** The headers that carry the signature, with `Content-Type` and `Idempotency-Key` exactly as signed. */
export const signedHeaders = async (
  identity: SignerIdentity,
  outgoing: Outgoing,
  { issuedAt, expiresAt, nonce }: SigningWindow
): Promise<Record<string, string>> => {
  const { audience, accountId, signer, grantId = "" } = identity
  const { method, target, body = "", contentType = "", idempotencyKey = "" } = outgoing
  const signature = await signMessage(signer, domainFor(audience, accountId), "ServiceRequest", {
    audience,
    accountId,
    signer: addressOf(signer.address),
    grantId,
    method,
    requestTarget: target,
    contentType,
    bodyHash: keccak256Utf8(body),
    issuedAt,
    expiresAt,
    nonce,
    idempotencyKey
  })
  return {
    "X-Service-Account": accountId,
    "X-Service-Signer": signer.address,
    ...(grantId && { "X-Service-Grant": grantId }),
    "X-Service-Issued-At": String(issuedAt),
    "X-Service-Expires-At": String(expiresAt),
    "X-Service-Nonce": nonce,
    "X-Service-Signature": signature,
    ...(contentType && { "Content-Type": contentType }),
    ...(idempotencyKey && { "Idempotency-Key": idempotencyKey })
  }
}
