import { Effect } from "effect"
import { PinnedContracts } from "../../protocol/PinnedContracts.ts"
import { defineOperation } from "../framework/Operation.ts"
import { quotePayout } from "./Declarations.ts"
import { quotePayoutAt } from "./PayoutQuote.ts"

export const runQuotePayout = defineOperation(quotePayout, input =>
  Effect.gen(function* () {
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(input.project.chainId)
    return yield* quotePayoutAt(snapshot, input)
  })
)
