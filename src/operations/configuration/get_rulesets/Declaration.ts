import { Schema } from "effect"
import { Coverage } from "../../../projects/ProjectSchemas.ts"
import { RulesetWithMetadata } from "../../../protocol/ProjectRecords.ts"
import { Evidence } from "../../../values/Evidence.ts"
import { Address, PositiveUint256, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { limit, optional, Project } from "../../shared/inputs/Parts.ts"

const checksummed = Schema.typeSchema(Address)

export const getRulesets = declareOperation({
  id: "get_rulesets",
  kind: "read",
  sources: ["onchain"],
  title: "List rulesets",
  description: "The rulesets of a project with their metadata, newest first, at one canonical block.",
  input: strict({ project: Project, limit: limit(50, 10), startingId: optional(PositiveUint256) }),
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
