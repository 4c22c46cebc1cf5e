import { Schema } from "effect"
import { Coverage } from "../../projects/ProjectSchemas.ts"
import { AccountingContext, RulesetWithMetadata, Split } from "../../protocol/ProjectRecords.ts"
import { Evidence } from "../../values/Evidence.ts"
import { ObservedOf } from "../../values/Observed.ts"
import { Address, ChainId, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declareOperation } from "../framework/Operation.ts"
import { declarePlan } from "../framework/PlanOperation.ts"
import { RulesetConfiguration } from "../inputs/Configuration.ts"
import { planInputs } from "../inputs/Plans.ts"
import { readInputs } from "../inputs/ReadInputs.ts"
import { Project } from "../inputs/Shared.ts"
import { ApprovalName, CurrencyAmount } from "./Records.ts"

const checksummed = Schema.typeSchema(Address)

export const getRulesets = declareOperation({
  id: "get_rulesets",
  input: readInputs.get_rulesets,
  output: strict({
    project: Project,
    evidence: Schema.Array(Evidence),
    controller: checksummed,
    page: strict({
      items: Schema.Array(RulesetWithMetadata),
      nextStartingId: Schema.NullOr(Uint256).annotations({
        description: "the startingId of the next page; null where this is the last one"
      }),
      order: Schema.Literal("newest-first")
    }),
    coverage: Coverage
  }),
  problems: [
    "PROJECT_NOT_FOUND",
    "PROJECT_WITHOUT_CONTROLLER",
    "UNSUPPORTED_CONTROLLER",
    "DEPLOYMENT_UNAVAILABLE",
    "CALL_REVERTED"
  ]
})

const Changes = Schema.Array(
  strict({
    field: Schema.String,
    current: Schema.NullOr(Schema.String),
    proposed: Schema.NullOr(Schema.String)
  })
)

const Following = strict({ start: Uint256, cycleNumber: Uint256, weight: Uint256 }).annotations({
  description: "if it were queued in this block and nothing stood between it and the running ruleset"
})

const EconomicChange = strict({
  configurationIndex: Schema.Int,
  comparedWith: Schema.Literal("current", "previous-configuration"),
  changes: Changes,
  limitChanges: ObservedOf(Changes),
  weightResolution: Schema.Literal("explicit", "zero", "inherit-decayed"),
  proposedStartLowerBound: Uint256,
  ifFollowingCurrent: Schema.NullOr(Following).annotations({
    description:
      "null where no ruleset is running, its approval hook is not known, another configuration comes first, or the weight has to be cached first"
  })
})

const LockChange = strict({
  groupId: Uint256,
  removedOrWeakenedLockedSplits: ObservedOf(Schema.Array(Split)),
  usesFallbackSplits: Schema.Boolean
})

const LockChanges = Schema.Array(
  strict({ configurationIndex: Schema.Int, groups: ObservedOf(Schema.Array(LockChange)) })
)

const LatestApproval = ObservedOf(
  strict({ value: Schema.Int, name: ApprovalName, scope: Schema.Literal("latest queued ruleset") })
)

const Timing = strict({
  status: Schema.Literal("unresolved-until-execution"),
  facts: Schema.Array(Schema.String)
})

const queueing = { required: Schema.Literal("QUEUE_RULESETS"), id: Schema.Literal(2) }
const Authority = Schema.Literal("owner", "omnichain-operator", "permission")

const Current = strict({
  ruleset: RulesetWithMetadata.fields.ruleset,
  metadata: RulesetWithMetadata.fields.metadata
})

export const previewRulesetChange = declareOperation({
  id: "preview_ruleset_change",
  input: readInputs.preview_ruleset_change,
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

export const prepareRulesetChange = declarePlan({
  id: "prepare_ruleset_change",
  input: planInputs.prepare_ruleset_change,
  summary: strict({
    controller: checksummed,
    permission: strict({ ...queueing, by: Authority }),
    currentRulesetId: Schema.NullOr(Uint256),
    upcomingRulesetId: ObservedOf(Schema.NullOr(Uint256)),
    latestRulesetIds: ObservedOf(strict({ items: Schema.Array(Uint256), truncated: Schema.Boolean })),
    rulesetCount: Schema.Int,
    economicChanges: Schema.Array(EconomicChange),
    lockChanges: LockChanges,
    latestApprovalStatus: LatestApproval,
    timing: Timing,
    rulesetIdResolution: Schema.String
  }).annotations({ identifier: "RulesetChangeSummary" }),
  problems: [
    "PROJECT_NOT_FOUND",
    "PROJECT_WITHOUT_CONTROLLER",
    "UNSUPPORTED_CONTROLLER",
    "CONFIGURATION_TOO_LARGE",
    "PERMISSION_DENIED"
  ]
})

export const prepareLaunch = declarePlan({
  id: "prepare_launch",
  input: planInputs.prepare_launch,
  summary: strict({
    chainId: ChainId,
    owner: checksummed,
    composition: Schema.Literal("core"),
    projectUri: Schema.String,
    rulesetCount: Schema.Int,
    terminalCount: Schema.Int,
    creationFeeWei: Uint256,
    projectId: Schema.Null,
    projectIdResolution: Schema.String
  }).annotations({ identifier: "LaunchSummary" }),
  problems: ["DEPLOYMENT_UNAVAILABLE"]
})
