import { defineOperation } from "../../framework/Operation.ts"
import { atHead } from "../../shared/context/AtHead.ts"
import { quotePayAt } from "../PayQuote.ts"
import { quotePay } from "./Declaration.ts"

export const runQuotePay = defineOperation(quotePay, input =>
  atHead(input.project.chainId, snapshot => quotePayAt(snapshot, input))
)
