import { Refusal } from "../values/Refusal.ts"

export class InvalidSignedTransaction extends Refusal("INVALID_SIGNED_TRANSACTION") {}
export class InvalidTransactionSignature extends Refusal("INVALID_TRANSACTION_SIGNATURE") {}
export class InvalidFeeEnvelope extends Refusal("INVALID_FEE_ENVELOPE") {}
export class UnsupportedTransactionType extends Refusal("UNSUPPORTED_TRANSACTION_TYPE") {}

export type TransactionRefusal =
  | InvalidSignedTransaction
  | InvalidTransactionSignature
  | InvalidFeeEnvelope
  | UnsupportedTransactionType
