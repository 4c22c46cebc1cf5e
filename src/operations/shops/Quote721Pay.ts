import { atHead } from "../context/AtHead.ts"
import { defineOperation } from "../framework/Operation.ts"
import { quote721Pay } from "./Declarations.ts"
import { quote721PayAt } from "./ShopPayQuote.ts"

export const runQuote721Pay = defineOperation(quote721Pay, input =>
  atHead(input.project.chainId, snapshot => quote721PayAt(snapshot, input))
)
