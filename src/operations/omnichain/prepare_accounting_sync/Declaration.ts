import { Schema } from "effect"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { Project } from "../../shared/inputs/Parts.ts"
import { ofSuckers, SuckerAddress } from "../Schemas.ts"

export const prepareAccountingSync = declarePlan({
  id: "prepare_accounting_sync",
  plan: "sync_accounting",
  sources: ["onchain"],
  title: "Prepare an accounting sync",
  description:
    "Plans the sending of a project's accounts to its peer chain with a transport value that a simulation accepted.",
  input: strict({
    project: Project,
    account: Address,
    sucker: Address,
    maxTransportValue: Uint256
  }),
  summary: strict({
    sucker: SuckerAddress,
    suckerContract: Schema.String,
    transport: Schema.Literal("ccip", "native"),
    peerChainId: Uint256,
    simulatedValue: Uint256.annotations({
      description: "wei: the least of the usual values that the simulation took"
    })
  }),
  problems: [...ofSuckers, "UNKNOWN_SUCKER_TRANSPORT", "NO_VERIFIED_TRANSPORT_VALUE"]
})
