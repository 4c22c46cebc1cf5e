import { Schema } from "effect"
import { AccountingContext, RulesetWithMetadata, Split } from "../../../protocol/ProjectRecords.ts"
import { Evidence } from "../../../values/Evidence.ts"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { RulesetConfiguration } from "../../shared/inputs/Configuration.ts"
import { Project } from "../../shared/inputs/Parts.ts"
import { rulesetChange } from "../Inputs.ts"
import { CurrencyAmount } from "../Records.ts"
import { Authority, EconomicChange, LatestApproval, LockChanges, queueing, Timing } from "../Schemas.ts"

const checksummed = Schema.typeSchema(Address)

const Current = strict({
  ruleset: RulesetWithMetadata.fields.ruleset,
  metadata: RulesetWithMetadata.fields.metadata
})

export const previewRulesetChange = declareOperation({
  id: "preview_ruleset_change",
  kind: "read",
  sources: ["onchain"],
  title: "Preview a ruleset change",
  description:
    "Compares proposed rulesets with the current one: economic changes, locked splits, limits, permission and timing.",
  input: strict(rulesetChange),
  output: strict({
    project: Project,
    account: checksummed,
    controller: checksummed,
    permission: strict({
      ...queueing,
      authorized: ObservedOf(Schema.Boolean),
      by: ObservedOf(Schema.NullOr(Authority))
    }),
    currentRulesetStatus: Schema.Literal("active", "none"),
    current: strict({
      ruleset: Schema.NullOr(Current.fields.ruleset),
      metadata: Schema.NullOr(Current.fields.metadata),
      splitGroups: ObservedOf(
        Schema.Array(
          strict({
            groupId: Uint256,
            splits: ObservedOf(Schema.Array(Split)),
            fallbackSplits: ObservedOf(Schema.Array(Split))
          })
        )
      ),
      fundAccessLimitGroups: ObservedOf(
        Schema.Array(
          strict({
            terminal: checksummed,
            token: checksummed,
            payoutLimits: ObservedOf(Schema.Array(CurrencyAmount)),
            surplusAllowances: ObservedOf(Schema.Array(CurrencyAmount))
          })
        )
      ),
      terminalContexts: ObservedOf(
        Schema.Array(strict({ terminal: checksummed, contexts: ObservedOf(Schema.Array(AccountingContext)) }))
      )
    }),
    upcoming: ObservedOf(Schema.NullOr(RulesetWithMetadata)),
    latestRulesets: ObservedOf(
      strict({ items: Schema.Array(RulesetWithMetadata), truncated: Schema.Boolean })
    ),
    latestApprovalStatus: LatestApproval,
    proposed: Schema.Array(Schema.typeSchema(RulesetConfiguration)),
    economicChanges: Schema.Array(EconomicChange),
    lockChanges: LockChanges,
    timing: Timing,
    comparisonScope: Schema.Array(Schema.String),
    evidence: Schema.Array(Evidence),
    warnings: Schema.Array(Schema.String)
  }).annotations({ identifier: "RulesetChangePreview" }),
  problems: [
    "PROJECT_NOT_FOUND",
    "PROJECT_WITHOUT_CONTROLLER",
    "UNSUPPORTED_CONTROLLER",
    "CONFIGURATION_TOO_LARGE",
    "CALL_REVERTED",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})
