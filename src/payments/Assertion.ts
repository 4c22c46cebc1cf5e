/** Whether a passkey's assertion is its owner's over this digest, made on the service's own page. */
import { createHash, createPublicKey, verify } from "node:crypto"
import { Either, Schema } from "effect"
import {
  authenticatorFlags,
  challengeMember,
  isBoundedAssertion,
  type PasskeySignature,
  TYPE_MEMBER
} from "../values/PasskeySignature.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { parseStrictJsonBytes } from "../values/StrictJson.ts"
import type { StoredPasskey } from "./CredentialStore.ts"
import { CredentialId } from "./PaymentReview.ts"

const LONGEST_PART = 4_096

/** What is no such part is not said again. */
const Base64Url = Schema.String.pipe(
  Schema.maxLength(LONGEST_PART),
  Schema.pattern(/^[A-Za-z0-9_-]+$/)
).annotations({ message: () => `1 to ${LONGEST_PART} characters of base64url without padding` })

/** What a browser gives, each part in base64url. */
export const PaymentAssertion = strict({
  credentialId: CredentialId,
  clientDataJSON: Base64Url,
  authenticatorData: Base64Url,
  signature: Base64Url
})
export type PaymentAssertion = typeof PaymentAssertion.Type

/** In the order in which they are looked at. */
export type AssertionFault =
  | "form"
  | "credential"
  | "type"
  | "challenge"
  | "origin"
  | "rp-id"
  | "user-presence"
  | "user-verification"
  | "backup"
  | "counter"
  | "signature"

export interface ExpectedAssertion {
  readonly digest: Bytes32
  readonly origin: string
  readonly rpId: string
  readonly passkey: StoredPasskey
}

export interface CheckedAssertion {
  readonly signature: PasskeySignature
  readonly counter: number
}

const bytesOf = (text: string): Buffer => Buffer.from(text, "base64url")

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const COORDINATE_BYTES = 32

/** In the one form of DER: short, positive, and no longer than it must be. */
const DER = /^30([0-9a-f]{2})02([0-9a-f]{2})((?:[0-9a-f]{2})+)$/

const integerIn = (digits: string): bigint | undefined => {
  const isNegative = Number.parseInt(digits.slice(0, 2), 16) > 0x7f
  const isPadded = digits.startsWith("00") && !(Number.parseInt(digits.slice(2, 4), 16) > 0x7f)
  const value = BigInt(`0x${digits}`)
  return isNegative || isPadded || value === 0n || value >= ORDER ? undefined : value
}

const word = (value: bigint): Bytes32 => `0x${value.toString(16).padStart(2 * COORDINATE_BYTES, "0")}`

/** With s in the lower half, for which contracts ask; who signed meant either. */
const pointsIn = (der: Uint8Array): Pick<PasskeySignature, "r" | "s"> | undefined => {
  const digits = Buffer.from(der).toString("hex")
  const [, whole = "", first = "", rest = ""] = DER.exec(digits) ?? []
  const end = 2 * Number.parseInt(first, 16)
  const [tag, length] = [rest.slice(end, end + 2), rest.slice(end + 2, end + 4)]
  const last = rest.slice(end + 4)
  const isWhole =
    Number.parseInt(whole, 16) === der.length - 2 && Number.parseInt(length, 16) === last.length / 2
  if (!isWhole || tag !== "02" || end === 0 || last === "") return undefined
  const [r, s] = [integerIn(rest.slice(0, end)), integerIn(last)]
  if (r === undefined || s === undefined) return undefined
  return { r: word(r), s: word(s > ORDER / 2n ? ORDER - s : s) }
}

const ClientData = Schema.Struct({
  type: Schema.String,
  challenge: Schema.String,
  origin: Schema.String,
  crossOrigin: Schema.optional(Schema.Boolean),
  topOrigin: Schema.optional(Schema.String)
})

const clientDataIn = (bytes: Uint8Array) =>
  Either.getOrUndefined(
    Either.flatMap(parseStrictJsonBytes(bytes), json => Schema.decodeUnknownEither(ClientData)(json))
  )

const isSigned = (
  { r, s }: Pick<PasskeySignature, "r" | "s">,
  signed: Uint8Array,
  { x, y }: StoredPasskey
): boolean => {
  const coordinate = (hex: Bytes32): string => Buffer.from(hex.slice(2), "hex").toString("base64url")
  const jwk = { kty: "EC", crv: "P-256", x: coordinate(x), y: coordinate(y) }
  const key = createPublicKey({ key: jwk, format: "jwk" })
  const signature = Buffer.from(`${r.slice(2)}${s.slice(2)}`, "hex")
  return verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, signature)
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest()

const COUNTER_AT = 33
const RP_ID_BYTES = 32

/** One that never counts stays at zero. */
const isCounted = (counter: number, before: number): boolean =>
  counter > before || (counter === 0 && before === 0)

type Judged = readonly [fault: AssertionFault, holds: boolean]

const firstFault = (judged: ReadonlyArray<Judged>): AssertionFault | undefined =>
  judged.find(([, holds]) => !holds)?.[0]

/** All of it but its signature. */
const faultOf = (
  { credentialId }: PaymentAssertion,
  { digest, origin, rpId, passkey }: ExpectedAssertion,
  client: NonNullable<ReturnType<typeof clientDataIn>>,
  authenticator: Buffer
): AssertionFault | undefined => {
  const challenge = Buffer.from(digest.slice(2), "hex").toString("base64url")
  const { isPresent, isVerified, isConsistent } = authenticatorFlags(hexOf(authenticator))
  return firstFault([
    ["credential", credentialId === passkey.credentialId],
    ["type", client.type === "webauthn.get"],
    ["challenge", client.challenge === challenge],
    ["origin", client.origin === origin && client.crossOrigin !== true && client.topOrigin === undefined],
    ["rp-id", authenticator.subarray(0, RP_ID_BYTES).equals(sha256(rpId))],
    ["user-presence", isPresent],
    ["user-verification", isVerified],
    ["backup", isConsistent],
    ["counter", isCounted(authenticator.readUInt32BE(COUNTER_AT), passkey.counter)]
  ])
}

const indexIn = (client: Buffer, member: string): number => client.indexOf(Buffer.from(member, "hex"))

export const checkAssertion = (
  given: PaymentAssertion,
  expected: ExpectedAssertion
): Either.Either<CheckedAssertion, AssertionFault> => {
  const [client, authenticator] = [bytesOf(given.clientDataJSON), bytesOf(given.authenticatorData)]
  const parts = { authenticatorData: hexOf(authenticator), clientData: hexOf(client) }
  const points = pointsIn(bytesOf(given.signature))
  const told = clientDataIn(client)
  if (!isBoundedAssertion(parts) || points === undefined || told === undefined) return Either.left("form")
  const fault = faultOf(given, expected, told, authenticator)
  if (fault !== undefined) return Either.left(fault)
  const typeIndex = indexIn(client, TYPE_MEMBER)
  const challengeIndex = indexIn(client, challengeMember(expected.digest))
  if (typeIndex < 0 || challengeIndex < 0) return Either.left("form")
  if (!isSigned(points, Buffer.concat([authenticator, sha256(client)]), expected.passkey))
    return Either.left("signature")
  const signature: PasskeySignature = { ...points, challengeIndex, typeIndex, ...parts }
  return Either.right({ signature, counter: authenticator.readUInt32BE(COUNTER_AT) })
}
