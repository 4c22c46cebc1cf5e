import { atHead } from "../context/AtHead.ts"
import { defineOperation } from "../framework/Operation.ts"
import { quoteCashOutAt } from "./CashOutQuote.ts"
import { quoteCashOut } from "./Declarations.ts"

export const runQuoteCashOut = defineOperation(quoteCashOut, input =>
  atHead(input.project.chainId, snapshot => quoteCashOutAt(snapshot, input))
)
