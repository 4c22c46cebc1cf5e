/** The digests that wallets and bots sign; the audience given here is the one that counts, in the message and in the salt. */
import { keccak256Bytes, keccak256Utf8 } from "./Keccak.ts"
import { memo } from "./Memo.ts"
import {
  DOMAIN_NAME,
  DOMAIN_VERSION,
  type Domain,
  domainMembers,
  encodeType,
  type MessageOf,
  type MessageType,
  messageTypes,
  type TypedDataMember
} from "./TypedData.ts"

const utf8 = new TextEncoder()

const DIGITS = "0123456789abcdef"

const PAIRS = Array.from({ length: 256 }, (_, byte) => DIGITS.charAt(byte >> 4) + DIGITS.charAt(byte & 15))

const NO_DIGIT = 256

/** By the code of a character, that of a digit's value; above all of them where it is no digit. */
const NIBBLES = new Uint16Array(256).fill(NO_DIGIT)
for (let value = 0; value < 16; value++)
  for (const digit of [DIGITS.charAt(value), DIGITS.charAt(value).toUpperCase()])
    NIBBLES[digit.charCodeAt(0)] = value

const nibble = (code: number): number => NIBBLES[code] ?? NO_DIGIT

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
    if (byte > 255) throw new RangeError("not a hexadecimal digit")
    into[offset + i] = byte
  }
}

/** From here on the characters are read quicker as bytes, together, than one by one. */
const LONG = 256

const fromLongHex = (hex: string): Uint8Array => {
  const characters = utf8.encode(hex)
  if (characters.length !== hex.length || hex.length % 2 !== 0 || !hex.startsWith("0x"))
    throw new RangeError("not whole bytes of hexadecimal with 0x")
  const bytes = new Uint8Array(characters.length / 2 - 1)
  let seen = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = (nibble(characters[2 * at + 2] ?? 0) << 4) | nibble(characters[2 * at + 3] ?? 0)
    seen |= byte
    bytes[at] = byte
  }
  if (seen > 255) throw new RangeError("not a hexadecimal digit")
  return bytes
}

export const fromHex = (hex: string): Uint8Array => {
  if (hex.length > LONG) return fromLongHex(hex)
  const bytes = new Uint8Array((hex.length - 2) >> 1)
  writeHex(hex, bytes.length, bytes, 0)
  return bytes
}

export type StructFields = Readonly<Record<string, string | number | ReadonlyArray<string>>>

export interface Struct {
  readonly name: string
  readonly members: ReadonlyArray<TypedDataMember>
  readonly encodedType: string
  readonly typeHash: Uint8Array
}

export const struct = (name: string, members: ReadonlyArray<TypedDataMember>): Struct => {
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

const TEXTS_KEPT = 1024

const recurring = memo<Uint8Array>(TEXTS_KEPT)

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
  { name, type }: TypedDataMember,
  value: StructFields[string] | undefined,
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

/** EIP-712 `encodeData` for flat structs: the type hash and every member's word of 32 bytes, in order. */
const encodeData = (of: Struct, fields: StructFields): Uint8Array => {
  const words = new Uint8Array(32 * (of.members.length + 1))
  words.set(of.typeHash)
  of.members.forEach((member, index) => {
    writeMember(member, fields[member.name], words, 32 * (index + 1))
  })
  return words
}

const hashStruct = (of: Struct, fields: StructFields): Uint8Array => keccak256Bytes(encodeData(of, fields))

/** `keccak256(0x1901 ‖ domainSeparator ‖ structHash)`. */
const signingPreimage = (separator: Uint8Array, structHash: Uint8Array): Uint8Array => {
  const preimage = new Uint8Array(66)
  preimage[0] = 0x19
  preimage[1] = 0x01
  preimage.set(separator, 2)
  preimage.set(structHash, 34)
  return preimage
}

/** Of typed data whose domain is not the service's own. */
export const typedDigest = (
  domain: Struct,
  domainFields: StructFields,
  of: Struct,
  fields: StructFields
): `0x${string}` =>
  toHex(keccak256Bytes(signingPreimage(hashStruct(domain, domainFields), hashStruct(of, fields))))

type Unaddressed<Type extends MessageType> = Omit<MessageOf<Type>, "audience">

const domainStruct = struct("EIP712Domain", domainMembers)

const saltlessStruct = struct(
  domainStruct.name,
  domainMembers.filter(({ name }) => name !== "salt")
)

const structs: Readonly<Record<MessageType, Struct>> = {
  ServiceRequest: struct("ServiceRequest", messageTypes.ServiceRequest),
  ServiceBotProof: struct("ServiceBotProof", messageTypes.ServiceBotProof),
  ServiceTransactionApproval: struct("ServiceTransactionApproval", messageTypes.ServiceTransactionApproval),
  ServiceSponsorshipApproval: struct("ServiceSponsorshipApproval", messageTypes.ServiceSponsorshipApproval)
}

export const domainOf = (audience: string, chainId: number): Domain => ({
  name: DOMAIN_NAME,
  version: DOMAIN_VERSION,
  chainId,
  salt: keccak256Utf8(audience)
})

const separators = memo<Uint8Array>(256)

const separatorOf = (audience: string, chainId: number): Uint8Array =>
  separators(`${chainId} ${audience}`, () => hashStruct(domainStruct, domainOf(audience, chainId)))

const digestFor =
  <Type extends MessageType>(type: Type) =>
  (audience: string, chainId: number, message: Unaddressed<Type>): Uint8Array =>
    keccak256Bytes(
      signingPreimage(separatorOf(audience, chainId), hashStruct(structs[type], { ...message, audience }))
    )

export const requestDigest = digestFor("ServiceRequest")
export const botProofDigest = digestFor("ServiceBotProof")
export const transactionApprovalDigest = digestFor("ServiceTransactionApproval")
export const sponsorshipApprovalDigest = digestFor("ServiceSponsorshipApproval")

/** What a wallet signs that builds the domain without its salt: refused, and recognised for advice. */
export const saltlessRequestDigest = (
  audience: string,
  chainId: number,
  message: Unaddressed<"ServiceRequest">
): Uint8Array =>
  keccak256Bytes(
    signingPreimage(
      hashStruct(saltlessStruct, domainOf(audience, chainId)),
      hashStruct(structs.ServiceRequest, { ...message, audience })
    )
  )

const traceStruct = (of: Struct, fields: StructFields) => {
  const words = encodeData(of, fields)
  return {
    encodedType: of.encodedType,
    typeHash: toHex(of.typeHash),
    members: of.members.map(({ name, type }, index) => ({
      name,
      type,
      value: fields[name],
      word: toHex(words.subarray(32 * (index + 1), 32 * (index + 2)))
    })),
    hash: toHex(keccak256Bytes(words))
  }
}

/** Every intermediate value of a digest, for people who look for the byte that differs. */
export const traceDigest = <Type extends MessageType>(
  type: Type,
  audience: string,
  chainId: number,
  message: Unaddressed<Type>
) => {
  const preimage = signingPreimage(
    separatorOf(audience, chainId),
    hashStruct(structs[type], { ...message, audience })
  )
  return {
    domain: traceStruct(domainStruct, domainOf(audience, chainId)),
    message: traceStruct(structs[type], { ...message, audience }),
    preimage: toHex(preimage),
    digest: toHex(keccak256Bytes(preimage))
  }
}
