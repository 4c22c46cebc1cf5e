import { BridgesView } from "../../projects/BridgeSchemas.ts"
import { ProjectAnswer } from "../../projects/ProjectSchemas.ts"
import { declareOperation } from "../framework/Operation.ts"
import { readInputs } from "../inputs/ReadInputs.ts"

export const getProject = declareOperation({
  id: "get_project",
  input: readInputs.get_project,
  output: ProjectAnswer,
  problems: ["PROJECT_NOT_FOUND", "DEPLOYMENT_UNAVAILABLE", "INDEXER_NETWORK_MISMATCH"]
})

export const getBridges = declareOperation({
  id: "get_bridges",
  input: readInputs.get_bridges,
  output: BridgesView,
  problems: ["PROJECT_NOT_FOUND", "DEPLOYMENT_UNAVAILABLE"]
})
