import { Schema } from "effect"
import { ObservedOf } from "../../values/Observed.ts"
import { Address, Bytes32, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declarePlan } from "../framework/PlanOperation.ts"
import { planInputs } from "../inputs/Plans.ts"
import { PoolKey } from "./Declarations.ts"

const authority = Schema.Literal("owner", "permission").annotations({
  description: "by which the account may choose for the project"
})

const PROJECT = [
  "PROJECT_NOT_FOUND",
  "PROJECT_WITHOUT_CONTROLLER",
  "UNSUPPORTED_CONTROLLER",
  "PERMISSION_REQUIRED"
] as const

const HOOKS = [
  ...PROJECT,
  "UNSUPPORTED_CONFIGURATION",
  "UNSUPPORTED_721_HOOK",
  "INVALID_721_IDENTITY",
  "UNSUPPORTED_BUYBACK_IMPLEMENTATION"
] as const

export const prepareBuybackPool = declarePlan({
  id: "prepare_buyback_pool",
  input: planInputs.prepare_buyback_pool,
  summary: strict({
    hook: Address,
    authority,
    terminalToken: Address,
    projectToken: Address,
    key: PoolKey,
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

export const prepareBuybackTwap = declarePlan({
  id: "prepare_buyback_twap",
  input: planInputs.prepare_buyback_twap,
  summary: strict({
    hook: Address,
    authority,
    terminalToken: Address,
    key: PoolKey,
    poolId: Bytes32,
    oldWindow: Uint256,
    newWindow: Uint256
  }),
  problems: [...HOOKS, "BUYBACK_NOT_CONFIGURED", "POOL_NOT_SET"]
})

const Choice = ObservedOf(Schema.NullOr(Address))

export const prepareBuybackHook = declarePlan({
  id: "prepare_buyback_hook",
  input: planInputs.prepare_buyback_hook,
  summary: strict({
    registry: Address,
    authority,
    previousHook: Choice,
    cohortDefault: Choice,
    effectiveHookAfter: Choice
  }),
  problems: [...HOOKS, "REGISTRY_NOT_CONFIGURED", "HOOK_LOCKED", "HOOK_NOT_ALLOWED"]
})

export const prepareRouterTerminal = declarePlan({
  id: "prepare_router_terminal",
  input: planInputs.prepare_router_terminal,
  summary: strict({
    registry: Address,
    authority,
    isListed: ObservedOf(Schema.Boolean).annotations({
      description: "whether the project's terminals include the registry; payments pass a router only then"
    }),
    previousTerminal: Choice,
    cohortDefault: Choice,
    effectiveTerminalAfter: Choice,
    effectivePathAfter: ObservedOf(Schema.Array(Address))
  }),
  problems: [...PROJECT, "CIRCULAR_ROUTER", "TERMINAL_LOCKED", "TERMINAL_NOT_ALLOWED"]
})
