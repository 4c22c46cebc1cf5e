import { ProjectAnswer } from "../../../projects/ProjectSchemas.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { Project } from "../../shared/inputs/Parts.ts"

export const getProject = declareOperation({
  id: "get_project",
  kind: "read",
  sources: ["onchain", "indexer"],
  title: "Show a project",
  description:
    "The project at one canonical block, or as the indexed source has it: owner, controller, rulesets, token, supply, terminals, balances, limits and splits, each known or explicitly unknown.",
  input: strict({ project: Project }),
  output: ProjectAnswer,
  problems: ["PROJECT_NOT_FOUND", "DEPLOYMENT_UNAVAILABLE", "INDEXER_NETWORK_MISMATCH"]
})
