import { Schema } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { AccountingContext } from "../../protocol/ProjectRecords.ts"
import { Uint256 } from "../../values/Scalars.ts"

const Borrowable = Schema.Struct({ borrowableNow: Uint256, borrowableCapacity: Uint256 })

/** In the units of the account that lends. */
export const readBorrowable = (
  { read }: PinnedSnapshot,
  revnetId: string,
  collateralCount: string,
  { decimals, currency }: AccountingContext
) => read("REVLoans", "borrowableAmountFrom", [revnetId, collateralCount, decimals, currency], Borrowable)
