/** An operation's signature field where the wallet's owners sign: from when and until when, and their signatures. */
import { Either } from "effect"
import type { OperationValidity } from "./SafeOperation.ts"
import type { Address, Hex } from "./Scalars.ts"

export interface OwnerPart {
  readonly signer: Address
  readonly signature: Hex
}

const TIME_DIGITS = 12
const SIGNATURE_DIGITS = 130

const time = (seconds: number): string => {
  const text = seconds.toString(16).padStart(TIME_DIGITS, "0")
  if (!Number.isSafeInteger(seconds) || seconds < 0 || text.length > TIME_DIGITS)
    throw new RangeError("not a time of 48 bits")
  return text
}

const prefixOf = ({ validAfter, validUntil }: OperationValidity): Hex =>
  `0x${time(validAfter)}${time(validUntil)}`

/** In the ascending order of their signers, as the wallet reads them. */
export const packSignatures = (parts: ReadonlyArray<OwnerPart>): Hex => {
  const ordered = [...parts].sort((a, b) => (a.signer.toLowerCase() < b.signer.toLowerCase() ? -1 : 1))
  return `0x${ordered.map(({ signature }) => signature.slice(2)).join("")}`
}

export const ownerEnvelope = (validity: OperationValidity, parts: ReadonlyArray<OwnerPart>): Hex =>
  `${prefixOf(validity)}${packSignatures(parts).slice(2)}`

/** The signatures of an envelope of exactly these times, as many as the wallet's threshold asks for. */
export const envelopedSignatures = (
  envelope: Hex,
  validity: OperationValidity,
  threshold: number
): Either.Either<Hex, "length" | "prefix"> => {
  const prefix = prefixOf(validity)
  if (envelope.length !== prefix.length + threshold * SIGNATURE_DIGITS) return Either.left("length")
  const signatures: Hex = `0x${envelope.slice(prefix.length)}`
  return envelope.startsWith(prefix) ? Either.right(signatures) : Either.left("prefix")
}
