/** The signature headers of a request, by their syntax alone. */
import { Either } from "effect"
import { type Address, checksummed, MAX_SAFE } from "../values/Scalars.ts"
import { AuthRequired, InvalidAuth } from "./refusals.ts"

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

const REQUIRED = [
  "X-Service-Account",
  "X-Service-Signer",
  "X-Service-Issued-At",
  "X-Service-Expires-At",
  "X-Service-Nonce",
  "X-Service-Signature"
] as const

const GRANT = "X-Service-Grant"
const IDEMPOTENCY = "Idempotency-Key"

const ACCOUNT = /^eip155:([1-9][0-9]{0,15}):(0x[0-9a-f]{40})$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SECONDS = /^(?:0|[1-9][0-9]{0,12})$/
const NONCE = /^0x[0-9a-f]{64}$/
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2}){1,8192}$/
const KEY = /^[A-Za-z0-9._:-]{1,128}$/

const RULES: Readonly<Record<string, string>> = {
  "X-Service-Account": "eip155:<authority chain id>:<lower-case owner address>",
  "X-Service-Signer": "an EVM address; mixed case must carry a right checksum",
  "X-Service-Issued-At": "Unix seconds, 1 to 13 digits without leading zero",
  "X-Service-Expires-At": "Unix seconds, 1 to 13 digits without leading zero",
  "X-Service-Nonce": "0x and 64 lower-case hexadecimal digits",
  "X-Service-Signature": "0x and 1 to 8192 bytes in hexadecimal",
  "X-Service-Grant": "a lower-case UUID, or no header at all for the owner",
  "Idempotency-Key": "1 to 128 characters of A-Z a-z 0-9 . _ : -"
}

const malformed = (header: string) =>
  new InvalidAuth({ detail: `${header} is malformed.`, context: { header, expected: RULES[header] } })

const single = (headers: HeaderValues, header: string): string | undefined => {
  const value = headers.get(header.toLowerCase())?.[0]
  return value === "" ? undefined : value
}

const repeated = (headers: HeaderValues): string | undefined =>
  [...REQUIRED, GRANT, IDEMPOTENCY].find(header => (headers.get(header.toLowerCase())?.length ?? 0) > 1)

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

const parse = (headers: HeaderValues): Either.Either<SignedHeaders, InvalidAuth> => {
  const text = (header: string) => single(headers, header) ?? ""
  const identity = account(text("X-Service-Account"))
  if (identity === undefined) return Either.left(malformed("X-Service-Account"))
  const signer = address(text("X-Service-Signer"))
  if (signer === undefined) return Either.left(malformed("X-Service-Signer"))
  for (const header of ["X-Service-Issued-At", "X-Service-Expires-At"])
    if (!SECONDS.test(text(header))) return Either.left(malformed(header))
  const nonce = text("X-Service-Nonce")
  if (!NONCE.test(nonce) || !isHex(nonce)) return Either.left(malformed("X-Service-Nonce"))
  const signature = text("X-Service-Signature")
  if (!SIGNATURE.test(signature) || !isHex(signature)) return Either.left(malformed("X-Service-Signature"))
  const grantId = single(headers, GRANT)
  if (grantId !== undefined && !UUID.test(grantId)) return Either.left(malformed(GRANT))
  const idempotencyKey = single(headers, IDEMPOTENCY)
  if (idempotencyKey !== undefined && !KEY.test(idempotencyKey)) return Either.left(malformed(IDEMPOTENCY))
  return Either.right({
    ...identity,
    signer,
    grantId,
    issuedAt: Number(text("X-Service-Issued-At")),
    expiresAt: Number(text("X-Service-Expires-At")),
    nonce,
    signature,
    idempotencyKey
  })
}

export const parseSignedHeaders = (
  headers: HeaderValues
): Either.Either<SignedHeaders, AuthRequired | InvalidAuth> => {
  const twice = repeated(headers)
  if (twice !== undefined)
    return Either.left(
      new InvalidAuth({ detail: `${twice} is given more than once.`, context: { header: twice } })
    )
  const missing = REQUIRED.filter(header => single(headers, header) === undefined)
  return missing.length > 0 ? Either.left(new AuthRequired({ context: { missing } })) : parse(headers)
}
