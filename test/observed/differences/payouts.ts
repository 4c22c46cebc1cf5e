/** What the sandbox does otherwise with payouts, allowances, fees and cash-outs. */
import type { Family, Otherwise } from "../Family.ts"

/** The money comes back to the project in both. */
const feeComesBack = (scenario: string, steps: ReadonlyArray<number>): Otherwise => ({
  scenario,
  steps,
  aspect: "events",
  at: "FeeReverted.reason",
  reason: "the sandbox's project 1 has no router among its terminals, so that none takes the fee in USDC"
})

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
  otherwise: [feeComesBack("payout-usdc", [10, 20, 40, 49]), feeComesBack("cash-out-usdc", [10])]
}
