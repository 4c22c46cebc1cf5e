/** What the sandbox does otherwise with payouts, allowances, fees and cash-outs: nothing. */
import type { Family } from "../Family.ts"

export const payouts: Family = {
  scenarios: [
    "payout-limits",
    "payout-usdc",
    "payout-fee-rounding",
    "payout-splits",
    "payout-held-fees",
    "surplus-allowance",
    "cash-out-tax",
    "cash-out-no-tax",
    "cash-out-usdc"
  ],
  leftOut: [],
  otherwise: []
}
