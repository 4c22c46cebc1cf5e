/** Strict RLP: every value has exactly one accepted encoding, so what decodes needs no comparison with a re-encoding. */

export interface RlpBytes {
  readonly _tag: "Bytes"
  readonly bytes: Uint8Array
}

export interface RlpList {
  readonly _tag: "List"
  readonly items: ReadonlyArray<RlpItem>
  /** Where each item ends within the list's payload. */
  readonly ends: ReadonlyArray<number>
  readonly payload: Uint8Array
}

export type RlpItem = RlpBytes | RlpList

interface Header {
  readonly isList: boolean
  readonly start: number
  readonly end: number
}

const MAXIMUM_DEPTH = 4
const SHORT = 55

const longHeader = (input: Uint8Array, at: number, isList: boolean, size: number): Header | undefined => {
  const start = at + 1 + size
  if (size > 4 || start > input.length || input[at + 1] === 0) return undefined
  const length = input.subarray(at + 1, start).reduce((total, byte) => total * 256 + byte, 0)
  return length > SHORT ? { isList, start, end: start + length } : undefined
}

const headerAt = (input: Uint8Array, at: number): Header | undefined => {
  const first = input[at]
  if (first === undefined) return undefined
  if (first < 0x80) return { isList: false, start: at, end: at + 1 }
  const isList = first >= 0xc0
  const length = first - (isList ? 0xc0 : 0x80)
  if (length > SHORT) return longHeader(input, at, isList, length - SHORT)
  const loneSmallByte = !isList && length === 1 && (input[at + 1] ?? 0) < 0x80
  return loneSmallByte ? undefined : { isList, start: at + 1, end: at + 1 + length }
}

const listOf = (payload: Uint8Array, depth: number): RlpList | undefined => {
  const items: Array<RlpItem> = []
  const ends: Array<number> = []
  let at = 0
  while (at < payload.length) {
    const header = headerAt(payload, at)
    const item = header && itemWithin(payload, header, depth)
    if (!header || !item) return undefined
    items.push(item)
    ends.push(header.end)
    at = header.end
  }
  return { _tag: "List", items, ends, payload }
}

const itemWithin = (
  input: Uint8Array,
  { isList, start, end }: Header,
  depth: number
): RlpItem | undefined => {
  if (end > input.length) return undefined
  const content = input.subarray(start, end)
  if (!isList) return { _tag: "Bytes", bytes: content }
  return depth < MAXIMUM_DEPTH ? listOf(content, depth + 1) : undefined
}

/** Undefined unless the input is exactly one canonical list. */
export const decodeList = (input: Uint8Array): RlpList | undefined => {
  const header = headerAt(input, 0)
  if (!header || header.end !== input.length) return undefined
  const item = itemWithin(input, header, 0)
  return item?._tag === "List" ? item : undefined
}

const bigEndian = (value: number): ReadonlyArray<number> =>
  value === 0 ? [] : [...bigEndian(Math.floor(value / 256)), value % 256]

const together = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const withHeader = (short: number, content: Uint8Array): Uint8Array => {
  const { length } = content
  const digits = bigEndian(length)
  const header = length > SHORT ? [short + SHORT + digits.length, ...digits] : [short + length]
  return together([Uint8Array.from(header), content])
}

export const encodeBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 1 && (bytes[0] ?? 0) < 0x80 ? bytes : withHeader(0x80, bytes)

export const encodeInteger = (value: number): Uint8Array => encodeBytes(Uint8Array.from(bigEndian(value)))

/** Wraps encodings that follow each other into one list. */
export const encodeListOf = (...encodings: ReadonlyArray<Uint8Array>): Uint8Array =>
  withHeader(0xc0, together(encodings))
