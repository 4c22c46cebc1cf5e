/** A project's choice of its buyback hook, which the registry's event repeats in full. */

import { Either, Schema } from "effect"
import { BUYBACK_REGISTRY } from "../../../effects/Contracts.ts"
import { exactlyOne, is } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate } from "../../../effects/Predicate.ts"

const setBuybackHook = predicate({
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

export const prepareBuybackHookEffects = planEffects({
  "JBBuybackHookRegistry.setHookFor(uint256,address)": setBuybackHook
})
