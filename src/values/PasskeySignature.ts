/** A passkey's signature as the contract of its owner takes it: the members of a WebAuthn assertion, encoded as the ABI has them. */
import { digitsOf, encodedMembers, tailOfBytes, word } from "./AbiWords.ts"
import type { Bytes32, Hex } from "./Scalars.ts"

export interface PasskeySignature {
  readonly r: Bytes32
  /** In the lower half. */
  readonly s: Bytes32
  /** Where in the client data the challenge begins, and where the type does. */
  readonly challengeIndex: number
  readonly typeIndex: number
  readonly authenticatorData: Hex
  /** Its bytes, which are JSON. */
  readonly clientData: Hex
}

const AUTHENTICATOR_BYTES = { least: 37, most: 128 }
/** Enough for what browsers write beside an origin of two hundred characters. */
const CLIENT_BYTES = { least: 1, most: 512 }

interface Bounds {
  readonly least: number
  readonly most: number
}

const isWithin = (hex: Hex, { least, most }: Bounds): boolean => {
  const bytes = (hex.length - 2) / 2
  return bytes >= least && bytes <= most
}

/** Whether an envelope has room for it. */
export const isBoundedAssertion = ({
  authenticatorData,
  clientData
}: Pick<PasskeySignature, "authenticatorData" | "clientData">): boolean =>
  isWithin(authenticatorData, AUTHENTICATOR_BYTES) && isWithin(clientData, CLIENT_BYTES)

export const encodedPasskey = (signature: PasskeySignature): Hex =>
  `0x${encodedMembers([
    digitsOf(signature.r),
    digitsOf(signature.s),
    word(signature.challengeIndex),
    word(signature.typeIndex),
    tailOfBytes(digitsOf(signature.authenticatorData)),
    tailOfBytes(digitsOf(signature.clientData))
  ])}`

const WORD_DIGITS = 64
const HEAD_WORDS = 6

/** The bytes that one of the head's words leads to. */
const bytesAt = (digits: string, head: string): Hex => {
  const start = 2 * Number(BigInt(`0x${head}`)) + WORD_DIGITS
  const length = Number(BigInt(`0x${digits.slice(start - WORD_DIGITS, start) || "0"}`))
  return `0x${digits.slice(start, start + 2 * length)}`
}

/** Undefined unless it is encoded in the one way, and within the bounds. */
export const decodedPasskey = (encoded: Hex): PasskeySignature | undefined => {
  const digits = encoded.slice(2)
  const words = digits.slice(0, HEAD_WORDS * WORD_DIGITS).match(/[0-9a-f]{64}/g) ?? []
  const [r, s, challenge, type, authenticator, client] = words
  if (client === undefined || authenticator === undefined) return undefined
  const signature: PasskeySignature = {
    r: `0x${r}`,
    s: `0x${s}`,
    challengeIndex: Number(BigInt(`0x${challenge}`)),
    typeIndex: Number(BigInt(`0x${type}`)),
    authenticatorData: bytesAt(digits, authenticator),
    clientData: bytesAt(digits, client)
  }
  return isBoundedAssertion(signature) && isEncodedSo(signature, encoded) ? signature : undefined
}

const isEncodedSo = (signature: PasskeySignature, encoded: Hex): boolean =>
  Number.isSafeInteger(signature.challengeIndex) &&
  Number.isSafeInteger(signature.typeIndex) &&
  encodedPasskey(signature) === encoded

/** Bits of the authenticator's flags. */
const PRESENT = 0x01
const VERIFIED = 0x04
const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10
const FLAGS_AT = 32

export interface AuthenticatorFlags {
  readonly isPresent: boolean
  readonly isVerified: boolean
  /** What is kept elsewhere too can be. */
  readonly isConsistent: boolean
}

export const authenticatorFlags = (authenticatorData: Hex): AuthenticatorFlags => {
  const flags = Number(`0x${authenticatorData.slice(2 + 2 * FLAGS_AT, 4 + 2 * FLAGS_AT)}`)
  return {
    isPresent: (flags & PRESENT) !== 0,
    isVerified: (flags & VERIFIED) !== 0,
    isConsistent: (flags & BACKED_UP) === 0 || (flags & BACKUP_ELIGIBLE) !== 0
  }
}

const hexOf = (text: string): string => Buffer.from(text).toString("hex")

export const TYPE_MEMBER = hexOf('"type":"webauthn.get"')

/** As it stands in the client data of an assertion over this digest. */
export const challengeMember = (digest: Bytes32): string =>
  hexOf(`"challenge":"${Buffer.from(digest.slice(2), "hex").toString("base64url")}"`)

const standsAt = (data: Hex, member: string, index: number): boolean =>
  data.slice(2).startsWith(member, 2 * index)

/** Whether it says what its contract wants of it, but for the signature itself. */
export const assertsDigest = (signature: PasskeySignature, digest: Bytes32): boolean => {
  const { isPresent, isVerified, isConsistent } = authenticatorFlags(signature.authenticatorData)
  return (
    isPresent &&
    isVerified &&
    isConsistent &&
    standsAt(signature.clientData, TYPE_MEMBER, signature.typeIndex) &&
    standsAt(signature.clientData, challengeMember(digest), signature.challengeIndex)
  )
}

/** As large as one can be, and nobody's. */
export const NOBODYS_PASSKEY: Hex = encodedPasskey({
  r: `0x${"11".repeat(32)}`,
  s: `0x${"11".repeat(32)}`,
  challengeIndex: 23,
  typeIndex: 1,
  authenticatorData: `0x${"11".repeat(AUTHENTICATOR_BYTES.most)}`,
  clientData: `0x${"11".repeat(CLIENT_BYTES.most)}`
})
