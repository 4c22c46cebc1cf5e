/** Who signed a transaction: r and s in range, s in the lower half, and legacy only with replay protection. */
import { Either } from "effect"
import secp256k1 from "secp256k1"
import { keccak256Bytes } from "../values/Keccak.ts"
import { type Address, checksummed, MAX_SAFE } from "../values/Scalars.ts"
import { type Fields, integerOf } from "./TransactionFields.ts"
import {
  InvalidTransactionSignature,
  type TransactionRefusal,
  UnsupportedTransactionType
} from "./transactionRefusals.ts"

export interface Signature {
  readonly r: bigint
  readonly s: bigint
  readonly parity: 0 | 1
  /** The chain id that a legacy signature carries in its v. */
  readonly replayChainId: number | undefined
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const FIRST_PROTECTED_V = 37n

const invalid = () => Either.left(new InvalidTransactionSignature())

type Recovery = Pick<Signature, "parity" | "replayChainId">

const parityOf = (bit: bigint): 0 | 1 => (bit === 0n ? 0 : 1)

const legacyRecovery = (v: bigint): Either.Either<Recovery, TransactionRefusal> => {
  if (v === 27n || v === 28n) return Either.left(new UnsupportedTransactionType())
  const chainId = (v - 35n) / 2n
  if (v < FIRST_PROTECTED_V || chainId > MAX_SAFE) return invalid()
  return Either.right({ parity: parityOf((v - 35n) % 2n), replayChainId: Number(chainId) })
}

const typedRecovery = (v: bigint): Either.Either<Recovery, TransactionRefusal> =>
  v > 1n ? invalid() : Either.right({ parity: parityOf(v), replayChainId: undefined })

export const signatureOf = (legacy: boolean, fields: Fields): Either.Either<Signature, TransactionRefusal> =>
  Either.gen(function* () {
    const v = yield* integerOf(fields, "v", 32)
    const r = yield* integerOf(fields, "r", 32)
    const s = yield* integerOf(fields, "s", 32)
    const recovery = yield* legacy ? legacyRecovery(v) : typedRecovery(v)
    if (r === 0n || r >= ORDER || s === 0n || s > ORDER / 2n) return yield* invalid()
    return { r, s, ...recovery }
  })

const word = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, "0"), "hex")

export const senderOf = (
  { r, s, parity }: Signature,
  digest: Uint8Array
): Either.Either<Address, TransactionRefusal> =>
  Either.try({
    try: () => secp256k1.ecdsaRecover(Buffer.concat([word(r), word(s)]), parity, digest, false),
    catch: () => new InvalidTransactionSignature()
  }).pipe(
    Either.map(key => keccak256Bytes(key.subarray(1)).subarray(12)),
    Either.map(address => checksummed(`0x${Buffer.from(address).toString("hex")}`))
  )
