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

/** What Safe reads beside a contract's address: where its signature begins, and that it is one. */
const CONTRACT_FORM = `${"41".padStart(64, "0")}00`
const WORD_DIGITS = 64

export interface ContractPart {
  /** In lower case. */
  readonly signer: Address
  /** As the contract itself takes it. */
  readonly signature: Hex
}

const lengthWord = (signature: Hex): string =>
  ((signature.length - 2) / 2).toString(16).padStart(WORD_DIGITS, "0")

/** The only signature of a wallet whose threshold is one, by an owner that is a contract. */
export const contractEnvelope = (validity: OperationValidity, { signer, signature }: ContractPart): Hex =>
  `${prefixOf(validity)}${signer.slice(2).toLowerCase().padStart(WORD_DIGITS, "0")}${CONTRACT_FORM}${lengthWord(signature)}${signature.slice(2)}`

const CONTRACT = new RegExp(`^0{24}([0-9a-f]{40})${CONTRACT_FORM}([0-9a-f]{64})((?:[0-9a-f]{2})*)$`)

/** Undefined where it is of another form, or of other times. */
export const envelopedContract = (envelope: Hex, validity: OperationValidity): ContractPart | undefined => {
  const prefix = prefixOf(validity)
  if (!envelope.startsWith(prefix)) return undefined
  const [, signer, length, digits] = CONTRACT.exec(envelope.slice(prefix.length)) ?? []
  const signature: Hex = `0x${digits}`
  return signer !== undefined && length === lengthWord(signature)
    ? { signer: `0x${signer}`, signature }
    : undefined
}
