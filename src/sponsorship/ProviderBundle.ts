/** What a provider says of a bundle: hints where to look, in which nothing is believed. */
import { Option, Schema } from "effect"
import { Address, Bytes32, Hex } from "../values/Scalars.ts"
import { ProviderAmount } from "./ProviderAmount.ts"

const STATE_CHARACTERS = 64
/** More than a bundle can have, so that too many are told from what cannot be read. */
const MAXIMUM_TRANSACTIONS = 1_024

const Told = Schema.Struct({
  tx_uuid: Schema.Lowercase,
  request: Schema.Struct({
    chain: Schema.Number,
    target: Address,
    data: Schema.compose(Schema.Lowercase, Hex),
    value: ProviderAmount,
    virtual_nonce: Schema.Number
  }),
  status: Schema.Unknown
})
export type ToldTransaction = typeof Told.Type

export const ProviderBundle = Schema.Struct({
  bundle_uuid: Schema.Lowercase,
  transactions: Schema.Array(Told).pipe(Schema.maxItems(MAXIMUM_TRANSACTIONS))
})
export type ProviderBundle = typeof ProviderBundle.Type

export interface ProviderHint {
  readonly providerState: string | null
  readonly hash: Bytes32 | null
}

const Hash = Schema.compose(Schema.Lowercase, Bytes32)

const decodeState = Schema.decodeUnknownOption(Schema.Struct({ state: Schema.String }))
const decodeHash = Schema.decodeUnknownOption(
  Schema.Struct({
    data: Schema.Union(
      Schema.Struct({ hash: Hash }),
      Schema.Struct({ transaction: Schema.Struct({ hash: Hash }) })
    )
  })
)

const printable = (text: string): string => text.slice(0, STATE_CHARACTERS).replaceAll(/[^ -~]/g, "?")

/** Whatever form it has, what cannot be read of it is not there. */
export const hintOf = (status: unknown): ProviderHint => ({
  providerState: Option.match(decodeState(status), {
    onNone: () => null,
    onSome: ({ state }) => printable(state)
  }),
  hash: Option.match(decodeHash(status), {
    onNone: () => null,
    onSome: ({ data }) => ("hash" in data ? data.hash : data.transaction.hash)
  })
})
