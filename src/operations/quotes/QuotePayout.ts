import { atHead } from "../context/AtHead.ts"
import { defineOperation } from "../framework/Operation.ts"
import { quotePayout } from "./Declarations.ts"
import { quotePayoutAt } from "./PayoutQuote.ts"

export const runQuotePayout = defineOperation(quotePayout, input =>
  atHead(input.project.chainId, snapshot => quotePayoutAt(snapshot, input))
)
