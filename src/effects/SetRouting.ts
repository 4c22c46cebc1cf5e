/** A project's choice of its buyback hook or of its router, which the registries' events repeat in full. */
import { Either, Schema } from "effect"
import { BUYBACK_REGISTRY, ROUTER_REGISTRY } from "./Contracts.ts"
import { exactlyOne, is } from "./Judgement.ts"
import { predicate } from "./Predicate.ts"

export const setBuybackHook = predicate({
  name: "set_buyback_hook",
  contractId: BUYBACK_REGISTRY,
  signature: "setHookFor(uint256,address)",
  args: Schema.Struct({ projectId: Schema.String, hook: Schema.String }),
  judge: ({ args: { projectId, hook }, account, target, logs }) =>
    Either.map(
      exactlyOne(logs, {
        emitter: target,
        event: "JBBuybackHookRegistry_SetHook",
        about: { projectId },
        says: { hook: is(hook), caller: is(account) },
        shows: ["projectId", "hook"]
      }),
      set => [set]
    )
})

export const setRouterTerminal = predicate({
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
