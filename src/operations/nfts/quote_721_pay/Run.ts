import { defineOperation } from "../../framework/Operation.ts"
import { atHead } from "../../shared/context/AtHead.ts"
import { quote721PayAt } from "../ShopPayQuote.ts"
import { quote721Pay } from "./Declaration.ts"

export const runQuote721Pay = defineOperation(quote721Pay, input =>
  atHead(input.project.chainId, snapshot => quote721PayAt(snapshot, input))
)
