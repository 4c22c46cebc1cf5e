/** A signed transaction read in its only canonical form, by a reader small enough for pages. */
import { recoverPublicKey } from "viem"
import { decodeList, encodeInteger, encodeListOf, type RlpItem, type RlpList } from "../direct/Rlp.ts"
import { keccak256Bytes } from "../values/Keccak.ts"
import { fromHex, toHex } from "../values/TypedDataHash.ts"

const CALL = ["gas", "to", "value", "data"]
const SIGNATURE = ["v", "r", "s"]

/** Of the legacy form and of the types 1 (EIP-2930) and 2 (EIP-1559); whose fee is the highest that it pays. */
const LAYOUTS = [
  ["nonce", "fee", ...CALL, ...SIGNATURE],
  ["chainId", "nonce", "fee", ...CALL, "accessList", ...SIGNATURE],
  ["chainId", "nonce", "tip", "fee", ...CALL, "accessList", ...SIGNATURE]
] as const

export interface TransactionRead {
  /** Undefined where nothing protects it from being replayed on another chain. */
  readonly chainId: number | undefined
  readonly nonce: number
  readonly gas: bigint
  readonly fee: bigint
  readonly to: string
  readonly value: bigint
  readonly data: string
  /** In lower case. */
  readonly sender: string
}

const isBytes = (item: RlpItem | undefined, length: number): boolean =>
  item?._tag === "Bytes" && item.bytes.length === length

const isEntry = (entry: RlpItem): boolean => {
  const [address, keys, ...more] = entry._tag === "List" ? entry.items : []
  return (
    isBytes(address, 20) &&
    more.length === 0 &&
    keys?._tag === "List" &&
    keys.items.every(key => isBytes(key, 32))
  )
}

class Fields {
  readonly #list: RlpList
  readonly #names: ReadonlyArray<string>

  constructor(list: RlpList, names: ReadonlyArray<string>) {
    this.#list = list
    this.#names = names
  }

  #at(name: string): RlpItem | undefined {
    return this.#list.items[this.#names.indexOf(name)]
  }

  isWhole(): boolean {
    const access = this.#at("accessList")
    const isListed =
      access?._tag === "List" ? access.items.every(isEntry) : !this.#names.includes("accessList")
    return this.#list.items.length === this.#names.length && isListed
  }

  hex(name: string): `0x${string}` {
    const item = this.#at(name)
    if (item?._tag !== "Bytes") throw new TypeError(name)
    return toHex(item.bytes)
  }

  /** Big-endian without leading zeros, zero being empty. */
  integer(name: string): bigint {
    const hex = this.hex(name)
    if (hex.startsWith("0x00") || hex.length > 66) throw new RangeError(name)
    return hex === "0x" ? 0n : BigInt(hex)
  }

  /** The encodings of what was signed, as they stand. */
  signed(): Uint8Array {
    return this.#list.payload.subarray(0, this.#list.ends[this.#names.length - SIGNATURE.length - 1])
  }
}

const FIRST_PROTECTED = 35n

/** The parity of the signature, and the chain that a legacy one names. */
const signedFor = (fields: Fields, type: number): { parity: number; chainId: number | undefined } => {
  const v = fields.integer("v")
  if (type > 0 && v <= 1n) return { parity: Number(v), chainId: Number(fields.integer("chainId")) }
  if (type === 0 && v >= FIRST_PROTECTED)
    return { parity: Number((v - FIRST_PROTECTED) % 2n), chainId: Number((v - FIRST_PROTECTED) / 2n) }
  if (type === 0 && (v === 27n || v === 28n)) return { parity: Number(v - 27n), chainId: undefined }
  throw new RangeError("v")
}

const ADDRESS_BYTES = 20

const senderOf = async (fields: Fields, type: number): Promise<string> => {
  const { parity: yParity, chainId } = signedFor(fields, type)
  const replay =
    type > 0 || chainId === undefined ? [] : [encodeInteger(chainId), encodeInteger(0), encodeInteger(0)]
  const list = encodeListOf(fields.signed(), ...replay)
  const hash = toHex(keccak256Bytes(type === 0 ? list : Uint8Array.from([type, ...list])))
  const word = (name: string): `0x${string}` => `0x${fields.integer(name).toString(16).padStart(64, "0")}`
  const key = await recoverPublicKey({ hash, signature: { r: word("r"), s: word("s"), yParity } })
  return toHex(keccak256Bytes(fromHex(key).subarray(1)).subarray(-ADDRESS_BYTES))
}

/** Undefined unless it is a complete transaction, encoded in the one way there is; `raw` is of one of the three forms. */
export const readTransaction = async (raw: `0x${string}`): Promise<TransactionRead | undefined> => {
  try {
    const bytes = fromHex(raw)
    const type = (bytes[0] ?? 0) >= 0xc0 ? 0 : (bytes[0] ?? 0)
    const list = decodeList(type === 0 ? bytes : bytes.subarray(1))
    const names = LAYOUTS[type]
    if (list === undefined || names === undefined) return undefined
    const fields = new Fields(list, names)
    const { chainId } = signedFor(fields, type)
    const call = {
      chainId,
      nonce: Number(fields.integer("nonce")),
      gas: fields.integer("gas"),
      fee: fields.integer("fee"),
      to: fields.hex("to"),
      value: fields.integer("value"),
      data: fields.hex("data")
    }
    return fields.isWhole() ? { ...call, sender: await senderOf(fields, type) } : undefined
  } catch {
    return undefined
  }
}
