import { Effect } from "effect"
import { PinnedContracts } from "../../protocol/PinnedContracts.ts"
import { defineOperation } from "../framework/Operation.ts"
import { quote721Pay } from "./Declarations.ts"
import { quote721PayAt } from "./ShopPayQuote.ts"

export const runQuote721Pay = defineOperation(quote721Pay, input =>
  Effect.flatMap(PinnedContracts, contracts =>
    Effect.flatMap(contracts.snapshotOf(input.project.chainId), snapshot => quote721PayAt(snapshot, input))
  )
)
