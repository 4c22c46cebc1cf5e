import { defineOperation } from "../../framework/Operation.ts"
import { atHead } from "../../shared/context/AtHead.ts"
import { quoteCashOutAt } from "../CashOutQuote.ts"
import { quoteCashOut } from "./Declaration.ts"

export const runQuoteCashOut = defineOperation(quoteCashOut, input =>
  atHead(input.project.chainId, snapshot => quoteCashOutAt(snapshot, input))
)
