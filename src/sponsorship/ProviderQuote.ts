/** What a provider answered to a publication, as far as its form is right; whether it is true is another question. */
import { ParseResult, Schema } from "effect"
import { outerCallHash } from "../values/ForwardRequest.ts"
import { Address, Bytes32, ChainId, Hex, Uint256, UnixSeconds } from "../values/Scalars.ts"
import { ProviderAmount } from "./ProviderAmount.ts"

const Uuid = Schema.Lowercase.pipe(
  Schema.pattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
)

/** Of UTC where it names no zone of its own. */
const secondsOf = (date: string): number =>
  Math.floor(Date.parse(/T[0-9:.]+$/.test(date) ? `${date}Z` : date) / 1000)

/** A provider writes it as seconds, in digits or as a number, or as a date of ISO 8601. */
const Deadline = Schema.transformOrFail(Schema.Union(Schema.Number, Schema.String), UnixSeconds, {
  strict: true,
  decode: (told, _, ast) => {
    const seconds =
      typeof told === "number" ? told : /^[0-9]{1,12}$/.test(told) ? Number(told) : secondsOf(told)
    return Number.isSafeInteger(seconds)
      ? ParseResult.succeed(seconds)
      : ParseResult.fail(new ParseResult.Type(ast, told))
  },
  encode: seconds => ParseResult.succeed(seconds)
})

const Payment = Schema.Struct({
  chain: ChainId,
  target: Address,
  token: Address,
  amount: ProviderAmount,
  calldata: Schema.compose(Schema.Lowercase, Hex),
  payment_deadline: Deadline
})

const Ids = Schema.Array(Uuid).pipe(Schema.maxItems(32))

export const ProviderAnswer = Schema.Struct({
  bundle_uuid: Uuid,
  tx_uuids: Schema.optional(Ids),
  txn_uuids: Schema.optional(Ids),
  payment_info: Schema.Array(Payment).pipe(Schema.minItems(1), Schema.maxItems(4))
})

export const ProviderQuote = Schema.Struct({
  bundleId: Schema.String,
  transactionIds: Schema.Array(Schema.String),
  /** Of the calls that were published, in their order. */
  outerCallHashes: Schema.optionalWith(Schema.Array(Bytes32), { exact: true }),
  payments: Schema.Array(
    Schema.Struct({
      chainId: ChainId,
      to: Schema.typeSchema(Address),
      token: Schema.typeSchema(Address),
      value: Uint256,
      data: Hex,
      deadline: UnixSeconds
    })
  )
})
export type ProviderQuote = typeof ProviderQuote.Type

const sameIds = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index])

/** One id for each transaction, by whichever of its two names; where both are given, they agree. */
const idsOf = ({ tx_uuids, txn_uuids }: typeof ProviderAnswer.Type): ReadonlyArray<string> | undefined => {
  const ids = tx_uuids ?? txn_uuids
  return ids !== undefined && sameIds(ids, txn_uuids ?? ids) ? ids : undefined
}

/** None where it does not name exactly so many transactions. */
export const quoteOf = (
  answer: typeof ProviderAnswer.Type,
  transactions: ReadonlyArray<{ readonly data: Hex }>
): ProviderQuote | undefined => {
  const ids = idsOf(answer)
  const { length } = transactions
  if (ids === undefined || ids.length !== length || new Set(ids).size !== length) return undefined
  return {
    bundleId: answer.bundle_uuid,
    transactionIds: ids,
    outerCallHashes: transactions.map(({ data }) => outerCallHash(data)),
    payments: answer.payment_info.map(({ chain, target, token, amount, calldata, payment_deadline }) => ({
      chainId: chain,
      to: target,
      token,
      value: amount,
      data: calldata,
      deadline: payment_deadline
    }))
  }
}
