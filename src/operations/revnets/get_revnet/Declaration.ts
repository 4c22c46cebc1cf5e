import { Schema } from "effect"
import { Ruleset } from "../../../protocol/ProjectRecords.ts"
import { RulesetMetadata } from "../../../protocol/RulesetMetadata.ts"
import { Evidence } from "../../../values/Evidence.ts"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, Bytes32, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { limit, optional, Project, withDefault } from "../../shared/inputs/Parts.ts"

const Stage = strict({ stageId: Uint256, ruleset: Ruleset, metadata: RulesetMetadata }).annotations({
  identifier: "RevnetStage",
  description: "A stage's id is that of its ruleset."
})

const StagesPage = strict({
  items: Schema.Array(Stage),
  pagination: strict({
    startingId: Uint256,
    size: Schema.Int,
    returned: Schema.Int,
    nextStartingId: Schema.NullOr(Uint256)
  })
}).annotations({ description: "The stage with the starting id, or the last one, and those before it." })

export const getRevnet = declareOperation({
  id: "get_revnet",
  kind: "read",
  sources: ["onchain"],
  title: "Show a revnet",
  description:
    "A verified revnet with its stages, cash-out delay, shop and loans contract, at one canonical block.",
  input: strict({
    project: Project,
    startingId: withDefault(Uint256, "0"),
    size: limit(32, 16),
    operator: optional(Address)
  }),
  output: strict({
    project: Project,
    configurationHash: Bytes32,
    owner: Address,
    deployer: Address,
    loans: Address,
    currentStageId: Schema.NullOr(Uint256).annotations({
      description: "null before the first stage has started"
    }),
    stages: ObservedOf(StagesPage),
    operator: ObservedOf(strict({ address: Address, isOperator: Schema.Boolean })).annotations({
      description: "Whether the address that was asked for is the operator; the contracts list none."
    }),
    cashOutDelay: ObservedOf(strict({ until: Uint256, active: Schema.Boolean })).annotations({
      description: "The time in seconds until which tokens cannot be cashed out."
    }),
    hook: ObservedOf(Schema.NullOr(Address)).annotations({
      description: "The 721 hook, where there is one; its code is not proved here."
    }),
    autoIssuance: ObservedOf(
      Schema.Array(strict({ stageId: Uint256, beneficiary: Address, count: Uint256 }))
    ),
    denominators: strict({
      reservedPercent: Schema.Literal(10_000),
      cashOutTaxRate: Schema.Literal(10_000),
      weightCutPercent: Schema.Literal(1_000_000_000),
      splitPercent: Schema.Literal(1_000_000_000)
    }),
    evidence: Schema.Array(Evidence),
    coverage: Schema.Array(Schema.String)
  }),
  problems: [
    "NOT_A_REVNET",
    "INVALID_REVNET_IDENTITY",
    "UNSUPPORTED_REVNET_DEPENDENCY",
    "UNSUPPORTED_REVNET_CONFIGURATION",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})
