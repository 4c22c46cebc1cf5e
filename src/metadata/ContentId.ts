/** Whether text is a content id of IPFS in its one canonical spelling: CIDv0, or CIDv1 in base32. */
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
const LONGEST = 128

const SHA2_256 = 0x12
const DIGEST_BYTES = 32

/** Never more than 46 characters, so the quadratic way will do. */
const fromBase58 = (text: string): Uint8Array => {
  let value = 0n
  for (const character of text) value = value * 58n + BigInt(BASE58.indexOf(character))
  return Buffer.from(value.toString(16).padStart(2 * (DIGEST_BYTES + 2), "0"), "hex")
}

const isVersion0 = (text: string): boolean => {
  if (!/^Qm[1-9A-HJ-NP-Za-km-z]{44}$/.test(text)) return false
  const bytes = fromBase58(text)
  return bytes.length === DIGEST_BYTES + 2 && bytes[0] === SHA2_256 && bytes[1] === DIGEST_BYTES
}

/** Undefined where the bits beyond the last whole byte are not zero, or more than they need to be. */
const fromBase32 = (text: string): Uint8Array | undefined => {
  const bytes: Array<number> = []
  let held = 0
  let bits = 0
  for (const character of text) {
    held = ((held << 5) | BASE32.indexOf(character)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
  }
  return bits >= 5 || (held & ((1 << bits) - 1)) !== 0 ? undefined : Uint8Array.from(bytes)
}

interface Read {
  readonly value: number
  readonly next: number
}

const VARINT_BYTES = 4

/** An unsigned varint in as few bytes as it needs. */
const varint = (bytes: Uint8Array, at: number): Read | undefined => {
  let value = 0
  for (let index = 0; index < VARINT_BYTES; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return index > 0 && byte === 0 ? undefined : { value, next: at + index + 1 }
  }
  return undefined
}

const isVersion1 = (text: string): boolean => {
  if (text.length > LONGEST || !/^b[a-z2-7]+$/.test(text)) return false
  const bytes = fromBase32(text.slice(1))
  const version = bytes && varint(bytes, 0)
  const codec = bytes && version?.value === 1 ? varint(bytes, version.next) : undefined
  const hash = bytes && codec && varint(bytes, codec.next)
  const length = bytes && hash && varint(bytes, hash.next)
  return length !== undefined && length.value > 0 && bytes?.length === length.next + length.value
}

export const isContentId = (text: string): boolean => isVersion0(text) || isVersion1(text)
