/** A project's choice of its router, which the registry's event repeats in full. */

import { Either, Schema } from "effect"
import { ROUTER_REGISTRY } from "../../../effects/Contracts.ts"
import { exactlyOne, is } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate } from "../../../effects/Predicate.ts"

const setRouterTerminal = predicate({
  name: "set_router_terminal",
  contractId: ROUTER_REGISTRY,
  signature: "setTerminalFor(uint256,address)",
  args: Schema.Struct({ projectId: Schema.String, terminal: Schema.String }),
  judge: ({ args: { projectId, terminal }, account, target, logs }) =>
    Either.map(
      exactlyOne(logs, {
        emitter: target,
        event: "JBRouterTerminalRegistry_SetTerminal",
        about: { projectId },
        says: { terminal: is(terminal), caller: is(account) },
        shows: ["projectId", "terminal"]
      }),
      set => [set]
    )
})

export const prepareRouterTerminalEffects = planEffects({
  "JBRouterTerminalRegistry.setTerminalFor(uint256,address)": setRouterTerminal
})
