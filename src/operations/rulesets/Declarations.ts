import { Schema } from "effect"
import { Coverage } from "../../projects/ProjectSchemas.ts"
import { AccountingContext, RulesetWithMetadata, Split } from "../../protocol/ProjectRecords.ts"
import { Evidence } from "../../values/Evidence.ts"
import { ObservedOf } from "../../values/Observed.ts"
import { Address, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declareOperation } from "../framework/Operation.ts"
import { RulesetConfiguration } from "../inputs/Configuration.ts"
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
  problems: ["PROJECT_NOT_FOUND", "UNSUPPORTED_CONTROLLER", "DEPLOYMENT_UNAVAILABLE", "CALL_REVERTED"]
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
  ifFollowingCurrent: Schema.NullOr(Following)
})

const LockChange = strict({
  groupId: Uint256,
  removedOrWeakenedLockedSplits: ObservedOf(Schema.Array(Split)),
  usesFallbackSplits: Schema.Boolean
})

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
      required: Schema.Literal("QUEUE_RULESETS"),
      id: Schema.Literal(2),
      authorized: ObservedOf(Schema.Boolean),
      by: ObservedOf(Schema.NullOr(Schema.Literal("owner", "omnichain-operator", "permission")))
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
    latestApprovalStatus: ObservedOf(
      strict({
        value: Schema.Int,
        name: ApprovalName,
        scope: Schema.Literal("latest queued ruleset")
      })
    ),
    proposed: Schema.Array(Schema.typeSchema(RulesetConfiguration)),
    economicChanges: Schema.Array(EconomicChange),
    lockChanges: Schema.Array(
      strict({ configurationIndex: Schema.Int, groups: ObservedOf(Schema.Array(LockChange)) })
    ),
    timing: strict({
      status: Schema.Literal("unresolved-until-execution"),
      facts: Schema.Array(Schema.String)
    }),
    comparisonScope: Schema.Array(Schema.String),
    evidence: Schema.Array(Evidence),
    warnings: Schema.Array(Schema.String)
  }).annotations({ identifier: "RulesetChangePreview" }),
  problems: [
    "PROJECT_NOT_FOUND",
    "UNSUPPORTED_CONTROLLER",
    "CONFIGURATION_TOO_LARGE",
    "CALL_REVERTED",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})
