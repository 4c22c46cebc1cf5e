import secp256k1 from "secp256k1"
import { keccak256Bytes, keccak256Utf8 } from "../../src/values/Keccak.ts"
import { fromHex, toHex } from "../../src/values/TypedDataHash.ts"

export interface TestKey {
  readonly label: string
  readonly privateKey: `0x${string}`
  readonly address: `0x${string}`
}

/** A published key that anyone can make again: keccak256 of the label. */
export const testKey = (label: string): TestKey => {
  const privateKey = keccak256Utf8(label)
  const publicKey = secp256k1.publicKeyCreate(fromHex(privateKey), false)
  return { label, privateKey, address: toHex(keccak256Bytes(publicKey.subarray(1)).subarray(12)) }
}

export interface Parts {
  readonly compact: Uint8Array
  readonly recoveryId: number
}

/** RFC 6979, low s. */
export const signParts = (key: TestKey, digest: Uint8Array): Parts => {
  const { signature, recid } = secp256k1.ecdsaSign(digest, fromHex(key.privateKey))
  return { compact: signature, recoveryId: recid }
}

export const join = ({ compact }: Parts, v: number): `0x${string}` => toHex(Uint8Array.of(...compact, v))

export const sign = (key: TestKey, digest: Uint8Array): `0x${string}` => {
  const parts = signParts(key, digest)
  return join(parts, 27 + parts.recoveryId)
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other signature of the same key and digest: s mirrored, v flipped. */
export const signHighS = (key: TestKey, digest: Uint8Array): `0x${string}` => {
  const { compact, recoveryId } = signParts(key, digest)
  const s = ORDER - BigInt(toHex(compact.subarray(32)))
  return `0x${toHex(compact.subarray(0, 32)).slice(2)}${s.toString(16).padStart(64, "0")}${(28 - recoveryId).toString(16)}`
}

/** EIP-2098: the recovery id in the top bit of s. */
export const signCompact = (key: TestKey, digest: Uint8Array): `0x${string}` => {
  const { compact, recoveryId } = signParts(key, digest)
  const bytes = compact.slice()
  bytes[32] = (bytes[32] ?? 0) | (recoveryId << 7)
  return toHex(bytes)
}
