/** What a payment for a bundle has to be, but for the code that it goes to. */
import type { PaymentContract } from "../settings/Settings.ts"
import type { Hex } from "../values/Scalars.ts"
import type { ProviderQuote } from "./ProviderQuote.ts"
import type { QuoteDoubt } from "./Sponsorship.ts"

const NATIVE = "0x000000000000000000000000000000000000EEEe"
const PREPAYMENT = "103903a7"
/** Seconds between the last moment to pay and the first request's end. */
const MARGIN_SECONDS = 30
const DEADLINE_END = 2 ** 40

export interface PaymentBounds {
  /** Of the chains that are served. */
  readonly contracts: ReadonlyArray<PaymentContract>
  readonly maximumFunding: bigint
  /** Of the first request to end, in seconds. */
  readonly requestsEnd: number
}

type ToldPayment = ProviderQuote["payments"][number]

/** The call `prepayment(bytes16,uint40)` of the bundle. */
const paymentData = (bundleId: string, deadline: number): Hex =>
  `0x${PREPAYMENT}${bundleId.replaceAll("-", "").padEnd(64, "0")}${deadline.toString(16).padStart(64, "0")}`

const doubtOf = (
  bundleId: string,
  { chainId, to, token, value, data, deadline }: ToldPayment,
  { contracts, maximumFunding, requestsEnd }: PaymentBounds
): QuoteDoubt | undefined => {
  const contract = contracts.find(each => each.chainId === chainId)
  const amount = BigInt(value)
  if (contract === undefined) return "payment-chain"
  if (to !== contract.address) return "payment-target"
  if (token !== NATIVE) return "payment-token"
  if (data !== paymentData(bundleId, deadline)) return "payment-calldata"
  if (amount === 0n) return "payment-amount"
  if (amount > maximumFunding) return "payment-bound"
  return deadline > requestsEnd - MARGIN_SECONDS || deadline >= DEADLINE_END ? "payment-deadline" : undefined
}

export const paymentsDoubt = (
  { bundleId, payments }: ProviderQuote,
  bounds: PaymentBounds
): QuoteDoubt | undefined => {
  if (new Set(payments.map(({ chainId }) => chainId)).size !== payments.length) return "payment-chain"
  return payments.map(payment => doubtOf(bundleId, payment, bounds)).find(doubt => doubt !== undefined)
}
