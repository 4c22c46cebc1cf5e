import { Effect } from "effect"
import { PinnedContracts } from "../../protocol/PinnedContracts.ts"
import { defineOperation } from "../framework/Operation.ts"
import { previewRulesetChange } from "./Declarations.ts"
import { rulesetChangeAt } from "./RulesetChange.ts"

export const runPreviewRulesetChange = defineOperation(previewRulesetChange, input =>
  Effect.gen(function* () {
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(input.project.chainId)
    return yield* rulesetChangeAt(snapshot, input)
  })
)
