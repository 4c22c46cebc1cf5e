import { Schema } from "effect"
import { Address, Bytes32, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declarePlan } from "../framework/PlanOperation.ts"
import { planInputs } from "../inputs/Plans.ts"

const ofSuckers = ["UNTRUSTED_SUCKER", "SUCKER_PROJECT_MISMATCH", "DEPLOYMENT_UNAVAILABLE"] as const

const sucker = Schema.typeSchema(Address)

export const prepareBridgeClaim = declarePlan({
  id: "prepare_bridge_claim",
  input: planInputs.prepare_bridge_claim,
  summary: strict({
    sucker,
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

export const prepareAccountingSync = declarePlan({
  id: "prepare_accounting_sync",
  input: planInputs.prepare_accounting_sync,
  summary: strict({
    sucker,
    suckerContract: Schema.String,
    transport: Schema.Literal("ccip", "native"),
    peerChainId: Uint256,
    simulatedValue: Uint256.annotations({
      description: "wei: the least of the usual values that the simulation took"
    })
  }),
  problems: [...ofSuckers, "UNKNOWN_SUCKER_TRANSPORT", "NO_VERIFIED_TRANSPORT_VALUE"]
})
