import { Schema } from "effect"
import { Address, PositiveUint256, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { Project } from "../../shared/inputs/Parts.ts"
import { getRevnet } from "../get_revnet/Declaration.ts"

const checksummed = Schema.typeSchema(Address)

export const prepareAutoIssue = declarePlan({
  id: "prepare_auto_issue",
  plan: "revnet_auto_issue",
  sources: ["onchain"],
  title: "Prepare an automatic issuance",
  description: "Plans the issuance that a revnet's stage promised to a beneficiary.",
  input: strict({
    project: Project,
    account: Address,
    stageId: PositiveUint256,
    beneficiary: Address
  }),
  summary: strict({
    stageId: Uint256,
    stageStart: Uint256,
    beneficiary: checksummed,
    count: Uint256
  }),
  problems: [...getRevnet.problems, "NOTHING_TO_AUTO_ISSUE", "STAGE_NOT_STARTED"]
})
