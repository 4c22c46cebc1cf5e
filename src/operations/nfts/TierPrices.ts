/** What tiers cost and what a payment is worth in the prices of a shop, rounded as the hook rounds. */

const DISCOUNT_DENOMINATOR = 200n

const discountOf = (percent: number): bigint => {
  const discount = BigInt(percent)
  return discount > DISCOUNT_DENOMINATOR ? DISCOUNT_DENOMINATOR : discount
}

export const effectivePrice = (price: bigint, discountPercent: number): bigint =>
  price - (price * discountOf(discountPercent)) / DISCOUNT_DENOMINATOR

/** An amount of the currency of the prices in another number of decimals. */
export const rescaled = (amount: bigint, from: number, to: number): bigint =>
  from > to ? amount / 10n ** BigInt(from - to) : amount * 10n ** BigInt(to - from)

/** `price` is what one unit of the pricing currency costs in the currency of the amount; the caller refuses zero. */
export const converted = (amount: bigint, pricingDecimals: number, price: bigint): bigint =>
  (amount * 10n ** BigInt(pricingDecimals)) / price

export interface Payment {
  /** In the shop's prices. */
  readonly value: bigint
  readonly credits: bigint
  /** Only a payer who is also the beneficiary spends credits. */
  readonly payerIsBeneficiary: boolean
}

export const usableCredits = ({ credits, payerIsBeneficiary }: Payment): bigint =>
  payerIsBeneficiary ? credits : 0n

export const spendable = (payment: Payment): bigint => payment.value + usableCredits(payment)

/** Credits that the payment could not touch stay beside what it leaves over. */
export const creditsAfter = (payment: Payment, leftover: bigint): bigint =>
  leftover + payment.credits - usableCredits(payment)

const TOKEN_IDS_PER_TIER = 1_000_000_000n

export const tierOfToken = (tokenId: bigint): bigint => tokenId / TOKEN_IDS_PER_TIER
