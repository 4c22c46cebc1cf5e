import { defineOperation } from "../../framework/Operation.ts"
import { atHead } from "../../shared/context/AtHead.ts"
import { quotePayoutAt } from "../PayoutQuote.ts"
import { quotePayout } from "./Declaration.ts"

export const runQuotePayout = defineOperation(quotePayout, input =>
  atHead(input.project.chainId, snapshot => quotePayoutAt(snapshot, input))
)
