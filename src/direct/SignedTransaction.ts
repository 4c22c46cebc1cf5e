/** What exactly a wallet signed: decodes the raw bytes of a transaction without ever repairing them. */
import { Either } from "effect"
import type { AccessListEntry } from "../chain/ChainClient.ts"
import { keccak256, keccak256Bytes } from "../values/Keccak.ts"
import { type Address, type Bytes32, type Hex, MAX_SAFE } from "../values/Scalars.ts"
import { decodeList, encodeInteger, encodeListOf, type RlpList } from "./Rlp.ts"
import {
  accessListOf,
  destinationOf,
  type FieldName,
  integerOf,
  stringOf,
  type TransactionFields
} from "./TransactionFields.ts"
import { type Signature, senderOf, signatureOf } from "./TransactionSignature.ts"
import {
  InvalidFeeEnvelope,
  InvalidSignedTransaction,
  type TransactionRefusal,
  UnsupportedTransactionType
} from "./transactionRefusals.ts"

export type TransactionType = "legacy" | "eip2930" | "eip1559"

export interface SignedTransaction {
  readonly hash: Bytes32
  readonly type: TransactionType
  readonly chainId: number
  readonly sender: Address
  readonly nonce: bigint
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  readonly maximumFeePerGas: bigint
  readonly maximumPriorityFeePerGas?: bigint
  readonly accessList: ReadonlyArray<AccessListEntry>
  /** Value plus gas limit times fee cap. */
  readonly maximumCost: bigint
  readonly raw: Hex
}

const LAYOUTS: { readonly [Type in TransactionType]: ReadonlyArray<FieldName> } = {
  legacy: ["nonce", "feeCap", "gas", "to", "value", "data", "v", "r", "s"],
  eip2930: ["chainId", "nonce", "feeCap", "gas", "to", "value", "data", "accessList", "v", "r", "s"],
  eip1559: [
    "chainId",
    "nonce",
    "priorityFee",
    "feeCap",
    "gas",
    "to",
    "value",
    "data",
    "accessList",
    "v",
    "r",
    "s"
  ]
}
const SIGNATURE_FIELDS = 3
/** EIP-2681. */
const NONCE_LIMIT = 2n ** 64n - 1n

interface Envelope {
  readonly type: TransactionType
  /** The type byte, where there is one. */
  readonly prefix: Uint8Array
  readonly body: Uint8Array
}

const HEX = /^0x[0-9a-f]*$/

const bytesOf = (raw: Hex, maximumBytes: number): Either.Either<Uint8Array, TransactionRefusal> =>
  raw.length % 2 === 0 && raw.length <= 2 + 2 * maximumBytes && HEX.test(raw)
    ? Either.right(Buffer.from(raw.slice(2), "hex"))
    : Either.left(new InvalidSignedTransaction())

const envelopeOf = (bytes: Uint8Array): Either.Either<Envelope, TransactionRefusal> => {
  const first = bytes[0] ?? 0x80
  const typed = { prefix: bytes.subarray(0, 1), body: bytes.subarray(1) }
  if (first >= 0xc0) return Either.right({ type: "legacy", prefix: bytes.subarray(0, 0), body: bytes })
  if (first === 1) return Either.right({ type: "eip2930", ...typed })
  if (first === 2) return Either.right({ type: "eip1559", ...typed })
  return Either.left(first < 0x80 ? new UnsupportedTransactionType() : new InvalidSignedTransaction())
}

const fieldsOf = (
  type: TransactionType,
  list: RlpList
): Either.Either<TransactionFields, TransactionRefusal> =>
  list.items.length === LAYOUTS[type].length
    ? Either.right(new Map(LAYOUTS[type].map((name, index) => [name, list.items[index]])))
    : Either.left(new InvalidSignedTransaction())

/** The encodings of the signed fields are taken over as they stand, so nothing that was signed is re-encoded. */
const signingHash = ({ prefix }: Envelope, list: RlpList, { replayChainId }: Signature): Uint8Array => {
  const signedFields = list.payload.subarray(0, list.ends[list.items.length - SIGNATURE_FIELDS - 1])
  const replay =
    replayChainId === undefined ? [] : [encodeInteger(replayChainId), encodeInteger(0), encodeInteger(0)]
  return keccak256Bytes(Buffer.concat([prefix, encodeListOf(signedFields, ...replay)]))
}

const feesOf = (type: TransactionType, fields: TransactionFields) =>
  Either.gen(function* () {
    const maximumFeePerGas = yield* integerOf(fields, "feeCap", 32)
    if (type !== "eip1559") return { maximumFeePerGas }
    const maximumPriorityFeePerGas = yield* integerOf(fields, "priorityFee", 32)
    if (maximumPriorityFeePerGas > maximumFeePerGas) return yield* Either.left(new InvalidFeeEnvelope())
    return { maximumFeePerGas, maximumPriorityFeePerGas }
  })

const statedChainId = (fields: TransactionFields): Either.Either<number, TransactionRefusal> =>
  Either.filterOrLeft(
    Either.map(integerOf(fields, "chainId", 8), Number),
    chainId => chainId >= 1 && chainId <= MAX_SAFE,
    () => new InvalidSignedTransaction()
  )

const nonceOf = (fields: TransactionFields): Either.Either<bigint, TransactionRefusal> =>
  Either.filterOrLeft(
    integerOf(fields, "nonce", 8),
    nonce => nonce < NONCE_LIMIT,
    () => new InvalidSignedTransaction()
  )

export const parseSignedTransaction = (
  raw: Hex,
  maximumBytes: number
): Either.Either<SignedTransaction, TransactionRefusal> =>
  Either.gen(function* () {
    const bytes = yield* bytesOf(raw, maximumBytes)
    const envelope = yield* envelopeOf(bytes)
    const { type } = envelope
    const list = yield* Either.fromNullable(decodeList(envelope.body), () => new InvalidSignedTransaction())
    const fields = yield* fieldsOf(type, list)
    const nonce = yield* nonceOf(fields)
    const gas = yield* integerOf(fields, "gas", 8)
    const value = yield* integerOf(fields, "value", 32)
    const data = yield* stringOf(fields, "data")
    const accessList = yield* accessListOf(fields)
    const to = yield* destinationOf(fields)
    const fees = yield* feesOf(type, fields)
    const signature = yield* signatureOf(type === "legacy", fields)
    const chainId = signature.replayChainId ?? (yield* statedChainId(fields))
    const sender = yield* senderOf(signature, signingHash(envelope, list, signature))
    const maximumCost = value + gas * fees.maximumFeePerGas
    const call = { to, data, value, gas, ...fees, accessList, maximumCost }
    return { hash: keccak256(bytes), type, chainId, sender, nonce, ...call, raw }
  })
