import { Schema } from "effect"
import { Address, Bytes32, PositiveUint256, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { Hash, list, Project, uint } from "../../shared/inputs/Parts.ts"
import { ofSuckers, SuckerAddress } from "../Schemas.ts"

const Claim = strict({
  token: Address,
  leaf: strict({
    index: uint(32),
    beneficiary: Hash,
    projectTokenCount: PositiveUint256,
    terminalTokenAmount: Uint256,
    metadata: Hash
  }),
  proof: list(Hash, 32, 32)
})

export const prepareBridgeClaim = declarePlan({
  id: "prepare_bridge_claim",
  plan: "bridge_claim",
  sources: ["onchain"],
  title: "Prepare a bridge claim",
  description: "Plans the claim of bridged tokens with its proof, after simulating it.",
  input: strict({ project: Project, account: Address, sucker: Address, claim: Claim }),
  summary: strict({
    sucker: SuckerAddress,
    suckerContract: Schema.String,
    leafHash: Bytes32,
    computedRoot: Bytes32,
    currentInboxRoot: Bytes32,
    inboxNonce: Uint256,
    matchesCurrentInboxRoot: Schema.Boolean.annotations({
      description:
        "where it does not, the sucker knew the computed root as a recent one when it was simulated"
    })
  }),
  problems: [...ofSuckers, "CLAIM_BENEFICIARY_MISMATCH", "CLAIM_ALREADY_EXECUTED"]
})
