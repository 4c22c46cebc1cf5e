import { Schema } from "effect"
import { AccountingContext } from "../../../protocol/ProjectRecords.ts"
import { Evidence } from "../../../values/Evidence.ts"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, Bytes32, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { HookKind } from "../../shared/context/HookKind.ts"
import { Hash, list, optional, Project, SomeAddress } from "../../shared/inputs/Parts.ts"
import { ShownPoolKey } from "../Schemas.ts"

const ActingHook = strict({ kind: HookKind, hook: Address }).annotations({ identifier: "ActingHook" })

const Hooks = strict({
  pay: Schema.Array(ActingHook),
  cashOut: Schema.Array(ActingHook),
  buybackRegistry: Schema.NullOr(
    strict({
      registry: Address,
      hook: ObservedOf(Schema.NullOr(Address)),
      allowed: ObservedOf(Schema.Boolean),
      locked: ObservedOf(Schema.Boolean)
    })
  ),
  shop: Schema.NullOr(
    strict({ hook: Address, deployer: ObservedOf(Address), isCanonicalDeployer: ObservedOf(Schema.Boolean) })
  )
}).annotations({
  identifier: "RoutingHooks",
  description: "The hooks that act, from the ruleset's data hook inwards; none where the list is empty."
})

export const TerminalKind = Schema.Literal(
  "multi-terminal",
  "router-registry",
  "router",
  "gateway",
  "unrecorded"
)

export type TerminalKind = typeof TerminalKind.Type

const Terminal = strict({ terminal: Address, kind: TerminalKind }).annotations({
  identifier: "RoutingTerminal"
})

const Contexts = strict({
  terminal: Address,
  contexts: ObservedOf(strict({ items: Schema.Array(AccountingContext), total: Schema.Int }))
}).annotations({ identifier: "TerminalContexts" })

const Pair = strict({
  tokenIn: Address,
  tokenOut: Address,
  pool: ObservedOf(strict({ isV4: Schema.Boolean, v3Pool: Address, v4Key: ShownPoolKey })),
  quote: ObservedOf(Uint256)
}).annotations({ identifier: "RoutingPair" })

export const PendingFailure = strict({
  errorHash: Bytes32,
  count: Uint256,
  lastFailureAt: Uint256,
  highestGasLimit: Uint256
}).annotations({ identifier: "PendingFailure" })

const PendingCalls = strict({
  gateway: Address,
  count: ObservedOf(Uint256),
  calls: Schema.Array(
    strict({ id: Bytes32, commitment: ObservedOf(Bytes32), failure: ObservedOf(PendingFailure) })
  )
}).annotations({ identifier: "PendingCalls" })

const Router = strict({
  registry: Schema.NullOr(Address),
  resolved: ObservedOf(Schema.NullOr(Terminal)),
  path: ObservedOf(Schema.Array(Address)),
  pendingCalls: ObservedOf(Schema.NullOr(PendingCalls)),
  cohortDefault: ObservedOf(Address),
  locked: ObservedOf(Schema.Boolean),
  directoryTerminals: ObservedOf(Schema.Array(Terminal)),
  terminalContexts: ObservedOf(Schema.Array(Contexts)),
  pairs: Schema.Array(Pair)
}).annotations({ identifier: "RoutingRouter" })

const Quality = Schema.Literal(
  "fullWindow",
  "partialWindow",
  "unseeded",
  "coverageUnknown",
  "observationFailed"
)

const Pool = strict({
  key: ShownPoolKey,
  poolId: Bytes32,
  poolManager: ObservedOf(Address),
  state: ObservedOf(
    strict({
      initialized: Schema.Boolean,
      sqrtPriceX96: Uint256,
      tick: Schema.Int,
      liquidity: Uint256
    })
  ),
  oracle: strict({
    hook: ObservedOf(Address),
    twapWindow: ObservedOf(Uint256),
    coverageSeconds: ObservedOf(Uint256),
    quality: Quality,
    observation: ObservedOf(
      strict({
        windowSeconds: Schema.Int,
        meanTick: Schema.Int,
        harmonicMeanLiquidity: Schema.NullOr(Uint256)
      })
    )
  })
}).annotations({
  identifier: "BuybackPool",
  description:
    "Where the oracle covers less than the window, the observation is of what it covers; windowSeconds says how long."
})

export const MOST_TOKENS = 8
export const MOST_PAIRS = 4
export const MOST_PENDING = 8

export const getRouting = declareOperation({
  id: "get_routing",
  kind: "read",
  sources: ["onchain"],
  title: "Show routing",
  description:
    "Which hooks, terminals, routers and pools act on a project's payments and cash outs, at one canonical block.",
  input: strict({
    project: Project,
    tokens: optional(list(SomeAddress, MOST_TOKENS)),
    pairs: optional(list(strict({ tokenIn: SomeAddress, tokenOut: SomeAddress }), MOST_PAIRS)),
    pendingCallIds: optional(list(Hash, MOST_PENDING))
  }),
  output: strict({
    project: Project,
    controller: Address,
    rulesetId: Uint256,
    hookFlags: strict({ useDataHookForPay: Schema.Boolean, useDataHookForCashOut: Schema.Boolean }),
    hooks: Hooks,
    router: Router,
    tokens: ObservedOf(
      Schema.Array(strict({ token: Address, primaryTerminal: ObservedOf(Schema.NullOr(Address)) }))
    ),
    buybackPools: ObservedOf(
      Schema.Array(strict({ token: Address, hook: Address, pool: ObservedOf(Schema.NullOr(Pool)) }))
    ),
    evidence: Schema.Array(Evidence),
    coverage: Schema.Array(Schema.String)
  }),
  problems: [
    "PROJECT_NOT_FOUND",
    "PROJECT_WITHOUT_CONTROLLER",
    "UNSUPPORTED_CONTROLLER",
    "UNSUPPORTED_CONFIGURATION",
    "UNSUPPORTED_721_HOOK",
    "INVALID_721_IDENTITY",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})
