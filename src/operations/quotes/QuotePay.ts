import { Effect } from "effect"
import { PinnedContracts } from "../../protocol/PinnedContracts.ts"
import { defineOperation } from "../framework/Operation.ts"
import { quotePay } from "./Declarations.ts"
import { quotePayAt } from "./PayQuote.ts"

export const runQuotePay = defineOperation(quotePay, input =>
  Effect.gen(function* () {
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(input.project.chainId)
    return yield* quotePayAt(snapshot, input)
  })
)
