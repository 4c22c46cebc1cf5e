/** Who signed a transaction: r and s in range, s in the lower half, and legacy only with replay protection. */
import { Either } from "effect"
import { isInRange, recoverAddress } from "../signatures/Recover.ts"
import { checksummed } from "../values/Checksum.ts"
import { type Address, MAX_SAFE } from "../values/Scalars.ts"
import { integerOf, type TransactionFields } from "./TransactionFields.ts"
import {
  InvalidTransactionSignature,
  type TransactionRefusal,
  UnsupportedTransactionType
} from "./transactionRefusals.ts"

export interface Signature {
  /** r and s, a word each. */
  readonly compact: Uint8Array
  readonly parity: 0 | 1
  /** The chain id that a legacy signature carries in its v. */
  readonly replayChainId: number | undefined
}

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

const wordOf = (fields: TransactionFields, name: "r" | "s") =>
  Either.map(integerOf(fields, name, 32), value => Buffer.from(value.toString(16).padStart(64, "0"), "hex"))

export const signatureOf = (
  legacy: boolean,
  fields: TransactionFields
): Either.Either<Signature, TransactionRefusal> =>
  Either.gen(function* () {
    const v = yield* integerOf(fields, "v", 32)
    const compact = Buffer.concat([yield* wordOf(fields, "r"), yield* wordOf(fields, "s")])
    const recovery = yield* legacy ? legacyRecovery(v) : typedRecovery(v)
    return isInRange(compact) ? { compact, ...recovery } : yield* invalid()
  })

export const senderOf = (
  { compact, parity }: Signature,
  digest: Uint8Array
): Either.Either<Address, TransactionRefusal> =>
  Either.map(
    Either.fromNullable(recoverAddress(digest, compact, parity), () => new InvalidTransactionSignature()),
    checksummed
  )
