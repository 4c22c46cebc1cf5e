import { Effect } from "effect"
import { PinnedContracts } from "../../../protocol/PinnedContracts.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { loanQuote } from "../LoanQuote.ts"
import { quoteLoan } from "./Declaration.ts"

export const runQuoteLoan = defineOperation(quoteLoan, input =>
  Effect.flatMap(PinnedContracts, contracts =>
    Effect.flatMap(contracts.snapshotOf(input.project.chainId), snapshot => loanQuote(snapshot, input))
  )
)
