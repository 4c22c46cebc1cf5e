/** Hexadecimal text to bytes and back, for hot paths that run in a browser too. */
const DIGITS = "0123456789abcdef"

const PAIRS = Array.from({ length: 256 }, (_, byte) => DIGITS.charAt(byte >> 4) + DIGITS.charAt(byte & 15))

const nibble = (code: number): number => {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : Number.NaN
}

export const toHex = (bytes: Uint8Array): `0x${string}` => {
  let digits = ""
  for (const byte of bytes) digits += PAIRS[byte]
  return `0x${digits}`
}

/** Writes exactly `length` bytes or throws: a value that is not of its declared width must not be hashed. */
export const writeHex = (hex: string, length: number, into: Uint8Array, offset: number): void => {
  if (hex.length !== 2 + 2 * length || !hex.startsWith("0x"))
    throw new RangeError(`not ${length} bytes of hexadecimal with 0x`)
  for (let i = 0; i < length; i++) {
    const byte = nibble(hex.charCodeAt(2 + 2 * i)) * 16 + nibble(hex.charCodeAt(3 + 2 * i))
    if (Number.isNaN(byte)) throw new RangeError("not a hexadecimal digit")
    into[offset + i] = byte
  }
}

export const fromHex = (hex: string): Uint8Array => {
  const bytes = new Uint8Array((hex.length - 2) >> 1)
  writeHex(hex, bytes.length, bytes, 0)
  return bytes
}
