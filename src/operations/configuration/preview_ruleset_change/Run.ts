import { Effect } from "effect"
import { PinnedContracts } from "../../../protocol/PinnedContracts.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { rulesetChangeAt } from "../RulesetChange.ts"
import { previewRulesetChange } from "./Declaration.ts"

export const runPreviewRulesetChange = defineOperation(previewRulesetChange, input =>
  Effect.gen(function* () {
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(input.project.chainId)
    return yield* rulesetChangeAt(snapshot, input)
  })
)
