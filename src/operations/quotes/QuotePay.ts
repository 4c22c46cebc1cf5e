import { atHead } from "../context/AtHead.ts"
import { defineOperation } from "../framework/Operation.ts"
import { quotePay } from "./Declarations.ts"
import { quotePayAt } from "./PayQuote.ts"

export const runQuotePay = defineOperation(quotePay, input =>
  atHead(input.project.chainId, snapshot => quotePayAt(snapshot, input))
)
