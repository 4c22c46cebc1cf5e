import { BridgesView } from "../../../projects/BridgeSchemas.ts"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { optional, Project } from "../../shared/inputs/Parts.ts"

export const getBridges = declareOperation({
  id: "get_bridges",
  kind: "read",
  sources: ["onchain"],
  title: "Show bridges",
  description:
    "The project's bridges with their peers proved on both chains, their states, token mappings, outboxes and inboxes.",
  input: strict({
    project: Project,
    holder: optional(Address),
    fromBlock: optional(Uint256),
    toBlock: optional(Uint256)
  }),
  output: BridgesView,
  problems: ["PROJECT_NOT_FOUND", "DEPLOYMENT_UNAVAILABLE"]
})
