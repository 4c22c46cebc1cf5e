/** What a payment issues, and what of it is kept back for the reserved splits. */
import { MAX_RESERVED_PERCENT, mulDiv } from "./Arithmetic.ts"

/** `JBTerminalStore.previewPayFrom`: `unitPrice` is one unit of the base currency in the payment's currency and decimals. */
export const tokensIssuedFor = (amount: bigint, weight: bigint, unitPrice: bigint): bigint =>
  mulDiv(amount, weight, unitPrice)

interface Minting {
  readonly beneficiary: bigint
  readonly reserved: bigint
}

/** `JBController.previewMintOf`: what rounding leaves goes to the reserve. */
export const splitReserved = (tokenCount: bigint, reservedPercent: bigint): Minting => {
  const beneficiary = mulDiv(tokenCount, MAX_RESERVED_PERCENT - reservedPercent, MAX_RESERVED_PERCENT)
  return { beneficiary, reserved: tokenCount - beneficiary }
}
