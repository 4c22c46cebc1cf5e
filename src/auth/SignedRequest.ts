/** What was transmitted and signed: its fields, their digest as a claim to verify, and the admitted request for those who bind something to it. */
import { Context, Either } from "effect"
import type { Account } from "../accounts/Account.ts"
import { AuthExpired } from "../accounts/refusals.ts"
import type { SignatureClaim } from "../signatures/Signatures.ts"
import { checksummed } from "../values/Checksum.ts"
import { keccak256 } from "../values/Keccak.ts"
import { type Address, type Bytes32, MAX_SAFE } from "../values/Scalars.ts"
import { REQUEST_WINDOW, type ServiceRequest } from "../values/TypedData.ts"
import { requestDigest } from "../values/TypedDataHash.ts"
import { AuthRequired, InvalidAuth } from "./refusals.ts"

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

export interface SignedHeaders {
  readonly accountId: string
  readonly authorityChainId: number
  /** The account's owner, in lower case. */
  readonly owner: Address
  /** In lower case. */
  readonly signer: Address
  readonly grantId: string | undefined
  readonly issuedAt: number
  readonly expiresAt: number
  readonly nonce: `0x${string}`
  readonly signature: `0x${string}`
  readonly idempotencyKey: string | undefined
}

export type HeaderValues = ReadonlyMap<string, ReadonlyArray<string>>

export const headerOf = (headers: HeaderValues, name: string): string | undefined => headers.get(name)?.[0]

interface Field {
  readonly name: string
  readonly key: string
  readonly rule: string
}

const field = (name: string, rule: string): Field => ({ name, key: name.toLowerCase(), rule })

export const NONCE_BYTES = 32

const SECONDS_RULE = "Unix seconds, 1 to 13 digits without leading zero"

const ACCOUNT_ID = field("X-Service-Account", "eip155:<authority chain id>:<lower-case owner address>")
const SIGNER = field("X-Service-Signer", "an EVM address; mixed case must carry a right checksum")
const ISSUED_AT = field("X-Service-Issued-At", SECONDS_RULE)
const EXPIRES_AT = field("X-Service-Expires-At", SECONDS_RULE)
const NONCE = field("X-Service-Nonce", `0x and ${2 * NONCE_BYTES} lower-case hexadecimal digits`)
const SIGNATURE = field("X-Service-Signature", "0x and 1 to 8192 bytes in hexadecimal")
const GRANT = field("X-Service-Grant", "a lower-case UUID, or no header at all for the owner")
const IDEMPOTENCY = field("Idempotency-Key", "1 to 128 characters of A-Z a-z 0-9 . _ : -")

const REQUIRED = [ACCOUNT_ID, SIGNER, ISSUED_AT, EXPIRES_AT, NONCE, SIGNATURE]
const ALL = [...REQUIRED, GRANT, IDEMPOTENCY]

const ACCOUNT = /^eip155:([1-9][0-9]{0,15}):(0x[0-9a-f]{40})$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SECONDS = /^(?:0|[1-9][0-9]{0,12})$/
const NONCE_FORM = new RegExp(`^0x[0-9a-f]{${2 * NONCE_BYTES}}$`)
const HEX = /^0x[0-9a-fA-F]+$/
const LONGEST_SIGNATURE = 2 + 2 * 8192
const KEY = /^[A-Za-z0-9._:-]{1,128}$/

const malformed = ({ name, rule }: Field) =>
  Either.left(new InvalidAuth({ detail: `${name} is malformed.`, context: { header: name, expected: rule } }))

const single = (headers: HeaderValues, { key }: Field): string | undefined => {
  const value = headers.get(key)?.[0]
  return value === "" ? undefined : value
}

const isHex = (text: string): text is `0x${string}` => text.startsWith("0x")

const address = (text: string): Address | undefined => {
  if (!ADDRESS.test(text)) return undefined
  const lower = text.toLowerCase()
  if (!isHex(lower)) return undefined
  const oneCase = text === lower || text.slice(2) === text.slice(2).toUpperCase()
  return oneCase || checksummed(lower) === text ? lower : undefined
}

const account = (text: string) => {
  const match = ACCOUNT.exec(text)
  const chain = Number(match?.[1])
  const owner = match?.[2]
  if (owner === undefined || chain > MAX_SAFE || !isHex(owner)) return undefined
  return { accountId: text, authorityChainId: chain, owner }
}

const signatureOf = (text: string): `0x${string}` | undefined =>
  HEX.test(text) && text.length % 2 === 0 && text.length <= LONGEST_SIGNATURE && isHex(text)
    ? text
    : undefined

const parse = (headers: HeaderValues): Either.Either<SignedHeaders, InvalidAuth> => {
  const text = (header: Field) => single(headers, header) ?? ""
  const identity = account(text(ACCOUNT_ID))
  if (identity === undefined) return malformed(ACCOUNT_ID)
  const signer = address(text(SIGNER))
  if (signer === undefined) return malformed(SIGNER)
  const issuedAt = text(ISSUED_AT)
  if (!SECONDS.test(issuedAt)) return malformed(ISSUED_AT)
  const expiresAt = text(EXPIRES_AT)
  if (!SECONDS.test(expiresAt)) return malformed(EXPIRES_AT)
  const nonce = text(NONCE)
  if (!NONCE_FORM.test(nonce) || !isHex(nonce)) return malformed(NONCE)
  const signature = signatureOf(text(SIGNATURE))
  if (signature === undefined) return malformed(SIGNATURE)
  const grantId = single(headers, GRANT)
  if (grantId !== undefined && !UUID.test(grantId)) return malformed(GRANT)
  const idempotencyKey = single(headers, IDEMPOTENCY)
  if (idempotencyKey !== undefined && !KEY.test(idempotencyKey)) return malformed(IDEMPOTENCY)
  return Either.right({
    accountId: identity.accountId,
    authorityChainId: identity.authorityChainId,
    owner: identity.owner,
    signer,
    grantId,
    issuedAt: Number(issuedAt),
    expiresAt: Number(expiresAt),
    nonce,
    signature,
    idempotencyKey
  })
}

const isGivenTwice = (headers: HeaderValues) => (field: Field) => (headers.get(field.key)?.length ?? 0) > 1

export const parseSignedHeaders = (
  headers: HeaderValues
): Either.Either<SignedHeaders, AuthRequired | InvalidAuth> => {
  const twice = ALL.find(isGivenTwice(headers))?.name
  if (twice !== undefined)
    return Either.left(
      new InvalidAuth({ detail: `${twice} is given more than once.`, context: { header: twice } })
    )
  const missing = REQUIRED.filter(field => single(headers, field) === undefined).map(({ name }) => name)
  return missing.length > 0 ? Either.left(new AuthRequired({ context: { missing } })) : parse(headers)
}

const GRACE_SECONDS = 60

export interface RequestWindow {
  readonly issuedAt: number
  readonly expiresAt: number
}

const fault = ({ issuedAt, expiresAt }: RequestWindow, estimateSeconds: number): string | undefined => {
  if (expiresAt <= issuedAt) return "the window must end after it begins"
  if (expiresAt - issuedAt > REQUEST_WINDOW.maximumSeconds)
    return `the window is longer than ${REQUEST_WINDOW.maximumSeconds} seconds`
  if (expiresAt + GRACE_SECONDS <= estimateSeconds) return "the window is over"
  if (issuedAt > estimateSeconds + REQUEST_WINDOW.futureAllowanceSeconds + GRACE_SECONDS)
    return "the window begins too far ahead"
  return undefined
}

/** Its shape at once, its place in time only roughly; the database's clock gives the verdict. */
export const checkWindow = (
  window: RequestWindow,
  estimateMillis: number
): Either.Either<void, AuthExpired> => {
  const detail = fault(window, Math.floor(estimateMillis / 1000))
  return detail === undefined ? Either.void : Either.left(new AuthExpired({ detail }))
}
