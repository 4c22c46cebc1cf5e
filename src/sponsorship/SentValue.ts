/** What requests send beside their gas: the price of a bundle holds it too, and is one payment. */
import { Effect } from "effect"
import { Settings } from "../settings/Settings.ts"
import { FundingBound } from "./refusals.ts"

const UNPAYABLE =
  "The requests send as much as one payment to the provider may be, and its price would hold their gas beside it: nobody could pay for them. Sponsor fewer steps, or send them as the wallet's own transactions."

/** Before anything of them is signed, or leaves. */
export const refuseUnpayable = Effect.fnUntraced(function* (
  sending: ReadonlyArray<{ readonly value: string }>
) {
  const { maximumFunding } = (yield* Settings).sponsorship
  const sent = sending.reduce((sum, { value }) => sum + BigInt(value), 0n)
  if (sent < maximumFunding) return
  const context = { value: String(sent), maximum: String(maximumFunding) }
  return yield* new FundingBound({ detail: UNPAYABLE, context })
})
