/** EIP-712 `encodeData` for flat structs: one 32-byte word per member behind the type hash. */
import { keccak256Bytes } from "./Keccak.ts"
import { memo } from "./Memo.ts"
import { encodeType, type Member } from "./TypedData.ts"
import { writeHex } from "./TypedDataBytes.ts"

export type Fields = Readonly<Record<string, string | number | ReadonlyArray<string>>>

export interface Struct {
  readonly name: string
  readonly members: ReadonlyArray<Member>
  readonly encodedType: string
  readonly typeHash: Uint8Array
}

const utf8 = new TextEncoder()

export const struct = (name: string, members: ReadonlyArray<Member>): Struct => {
  const encodedType = encodeType(name, members)
  return { name, members, encodedType, typeHash: keccak256Bytes(utf8.encode(encodedType)) }
}

const RECURRING = new Set([
  "audience",
  "accountId",
  "principalId",
  "grantId",
  "method",
  "contentType",
  "scopes",
  "name",
  "version"
])
const RECURRING_LENGTH = 128

const recurring = memo<Uint8Array>(4096)

const hashText = (name: string, text: string): Uint8Array => {
  const compute = () => keccak256Bytes(utf8.encode(text))
  const recurs = text.length === 0 || (RECURRING.has(name) && text.length <= RECURRING_LENGTH)
  return recurs ? recurring(text, compute) : compute()
}

const hashTexts = (name: string, texts: ReadonlyArray<string>): Uint8Array => {
  const words = new Uint8Array(32 * texts.length)
  texts.forEach((text, index) => {
    words.set(hashText(name, text), 32 * index)
  })
  return keccak256Bytes(words)
}

const UINT32_MAXIMUM = 2 ** 32 - 1

/** Integers beyond 2^53-1 are refused, since a number would no longer say which one was meant. */
const writeInteger = (type: string, value: number, words: Uint8Array, offset: number): void => {
  const maximum = type === "uint32" ? UINT32_MAXIMUM : Number.MAX_SAFE_INTEGER
  if (!Number.isSafeInteger(value) || value < 0 || value > maximum)
    throw new RangeError(`not an integer that fits ${type}`)
  let rest = value
  for (let at = offset + 31; rest > 0; at--) {
    words[at] = rest % 256
    rest = Math.floor(rest / 256)
  }
}

const writeMember = (
  { name, type }: Member,
  value: Fields[string] | undefined,
  words: Uint8Array,
  offset: number
): void => {
  if (value === undefined) throw new TypeError(`${name} is missing`)
  if (typeof value === "number") writeInteger(type, value, words, offset)
  else if (typeof value !== "string") words.set(hashTexts(name, value), offset)
  else if (type === "string") words.set(hashText(name, value), offset)
  else if (type === "address") writeHex(value, 20, words, offset + 12)
  else writeHex(value, 32, words, offset)
}

/** The type hash and every member's word, in order. */
export const encodeData = (of: Struct, fields: Fields): Uint8Array => {
  const words = new Uint8Array(32 * (of.members.length + 1))
  words.set(of.typeHash)
  of.members.forEach((member, index) => {
    writeMember(member, fields[member.name], words, 32 * (index + 1))
  })
  return words
}

export const hashStruct = (of: Struct, fields: Fields): Uint8Array => keccak256Bytes(encodeData(of, fields))

/** `keccak256(0x1901 ‖ domainSeparator ‖ structHash)`. */
export const signingPreimage = (separator: Uint8Array, structHash: Uint8Array): Uint8Array => {
  const preimage = new Uint8Array(66)
  preimage[0] = 0x19
  preimage[1] = 0x01
  preimage.set(separator, 2)
  preimage.set(structHash, 34)
  return preimage
}
