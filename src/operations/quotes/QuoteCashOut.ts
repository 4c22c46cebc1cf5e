import { Effect } from "effect"
import { PinnedContracts } from "../../protocol/PinnedContracts.ts"
import { defineOperation } from "../framework/Operation.ts"
import { quoteCashOutAt } from "./CashOutQuote.ts"
import { quoteCashOut } from "./Declarations.ts"

export const runQuoteCashOut = defineOperation(quoteCashOut, input =>
  Effect.gen(function* () {
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(input.project.chainId)
    return yield* quoteCashOutAt(snapshot, input)
  })
)
