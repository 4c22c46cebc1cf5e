/** What the contracts tell of limits and approvals. */
import { Schema } from "effect"
import { Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"

export const CurrencyAmount = strict({ amount: Uint256, currency: Uint256 })

export const APPROVALS = ["Empty", "Upcoming", "Active", "ApprovalExpected", "Approved", "Failed"] as const

export const ApprovalName = Schema.Literal(...APPROVALS)
