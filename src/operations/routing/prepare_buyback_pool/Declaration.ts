import { Schema } from "effect"
import { Address, Bytes32, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { int, Project, SomeAddress } from "../../shared/inputs/Parts.ts"
import { TwapWindow } from "../Inputs.ts"
import { authority, HOOKS, ShownPoolKey } from "../Schemas.ts"

export const prepareBuybackPool = declarePlan({
  id: "prepare_buyback_pool",
  plan: "setPoolFor",
  sources: ["onchain"],
  title: "Prepare a buyback pool",
  description:
    "Plans the choice of the pool that a project's buyback uses for a token; the choice is permanent.",
  input: strict({
    project: Project,
    account: Address,
    terminalToken: SomeAddress,
    fee: int(0, 1_000_000),
    tickSpacing: int(1, 32_767),
    twapWindowSeconds: TwapWindow
  }),
  summary: strict({
    hook: Address,
    authority,
    terminalToken: Address,
    projectToken: Address,
    key: ShownPoolKey,
    poolId: Bytes32,
    poolManager: Address,
    pool: strict({ sqrtPriceX96: Uint256, tick: Schema.Int, liquidity: Uint256 }),
    requestedTwapWindow: Uint256,
    storedTwapWindow: Uint256
  }),
  problems: [
    ...HOOKS,
    "BUYBACK_NOT_CONFIGURED",
    "POOL_ALREADY_SET",
    "ORACLE_UNSET",
    "INVALID_POOL_PAIR",
    "POOL_NOT_INITIALIZED"
  ]
})
