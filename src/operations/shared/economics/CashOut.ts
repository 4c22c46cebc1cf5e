/** The bonding curve that tokens are cashed out on. */
import { least, MAX_CASH_OUT_TAX_RATE, mulDiv } from "./Arithmetic.ts"
import { feeOn } from "./Fees.ts"

export interface CashOut {
  readonly surplus: bigint
  readonly count: bigint
  readonly supply: bigint
  readonly taxRate: bigint
}

/** `JBCashOuts.cashOutFrom`, before any fee. */
export const reclaimable = ({ surplus, count, supply, taxRate }: CashOut): bigint => {
  if (count === 0n || taxRate === MAX_CASH_OUT_TAX_RATE) return 0n
  if (count >= supply) return surplus
  const base = mulDiv(surplus, count, supply)
  if (taxRate === 0n) return base
  const returnedTax = mulDiv(taxRate, count, supply)
  return mulDiv(base, MAX_CASH_OUT_TAX_RATE - taxRate + returnedTax, MAX_CASH_OUT_TAX_RATE)
}

interface Reclaim {
  readonly gross: bigint
  readonly taxRate: bigint
  readonly isFeeless: boolean
  /** What the project received here without a fee: `JBMultiTerminal.feeFreeSurplusOf`. */
  readonly feeFreeSurplus: bigint
}

/** `JBMultiTerminal.cashOutTokensOf`: untaxed reclaims owe the fee only for what came in free of it. */
export const cashOutFee = ({ gross, taxRate, isFeeless, feeFreeSurplus }: Reclaim): bigint => {
  if (isFeeless) return 0n
  return feeOn(taxRate === 0n ? least(gross, feeFreeSurplus) : gross)
}
