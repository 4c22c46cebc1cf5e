import { Address, Bytes32, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { Project, SomeAddress } from "../../shared/inputs/Parts.ts"
import { TwapWindow } from "../Inputs.ts"
import { authority, HOOKS, ShownPoolKey } from "../Schemas.ts"

export const prepareBuybackTwap = declarePlan({
  id: "prepare_buyback_twap",
  plan: "setTwapWindowOf",
  sources: ["onchain"],
  title: "Prepare a buyback window",
  description: "Plans the change of the time window that a project's buyback averages prices over.",
  input: strict({
    project: Project,
    account: Address,
    terminalToken: SomeAddress,
    twapWindowSeconds: TwapWindow
  }),
  summary: strict({
    hook: Address,
    authority,
    terminalToken: Address,
    key: ShownPoolKey,
    poolId: Bytes32,
    oldWindow: Uint256,
    newWindow: Uint256
  }),
  problems: [...HOOKS, "BUYBACK_NOT_CONFIGURED", "POOL_NOT_SET"]
})
