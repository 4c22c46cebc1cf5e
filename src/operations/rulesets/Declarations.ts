import { Schema } from "effect"
import { Coverage } from "../../projects/ProjectSchemas.ts"
import { RulesetWithMetadata } from "../../protocol/ProjectRecords.ts"
import { Evidence } from "../../values/Evidence.ts"
import { Address, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declareOperation } from "../framework/Operation.ts"
import { readInputs } from "../inputs/ReadInputs.ts"
import { Project } from "../inputs/Shared.ts"

export const getRulesets = declareOperation({
  id: "get_rulesets",
  input: readInputs.get_rulesets,
  output: strict({
    project: Project,
    evidence: Schema.Array(Evidence),
    controller: Schema.typeSchema(Address),
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
