/** The signature field by which a session's key presents its policy. */
import { digitsOf } from "../values/AbiWords.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"

const TAG = "01"
const LENGTH_DIGITS = 8
const SIGNATURE_DIGITS = 130
const HEAD_DIGITS = TAG.length + 64 + LENGTH_DIGITS

const prefixOf = (permissionId: Bytes32, encoded: Hex): Hex => {
  const policy = digitsOf(encoded)
  const length = (policy.length / 2).toString(16).padStart(LENGTH_DIGITS, "0")
  return `0x${TAG}${digitsOf(permissionId)}${length}${policy}`
}

/** An operation's signature field where a session key signs. */
export const sessionEnvelope = (permissionId: Bytes32, encoded: Hex, signature: Hex): Hex =>
  `${prefixOf(permissionId, encoded)}${digitsOf(signature)}`

export interface OpenedEnvelope {
  readonly permissionId: Bytes32
  readonly encoded: Hex
  readonly signature: Hex
}

/** Undefined: no envelope of a session. */
export const openedEnvelope = (envelope: Hex): OpenedEnvelope | undefined => {
  const digits = digitsOf(envelope)
  if (!digits.startsWith(TAG) || digits.length <= HEAD_DIGITS + SIGNATURE_DIGITS) return undefined
  const end = digits.length - SIGNATURE_DIGITS
  const length = Number.parseInt(digits.slice(HEAD_DIGITS - LENGTH_DIGITS, HEAD_DIGITS), 16)
  if (HEAD_DIGITS + 2 * length !== end) return undefined
  return {
    permissionId: `0x${digits.slice(TAG.length, TAG.length + 64)}`,
    encoded: `0x${digits.slice(HEAD_DIGITS, end)}`,
    signature: `0x${digits.slice(end)}`
  }
}
