import { Either, Schema } from "effect"
import { BUYBACK_HOOK } from "../../../effects/Contracts.ts"
import { exactlyOne, is } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate } from "../../../effects/Predicate.ts"
import { currencyOf } from "../../../protocol/PoolIds.ts"
import { Address } from "../../../values/Scalars.ts"

const setTwapWindow = predicate({
  name: "set_twap_window",
  contractId: BUYBACK_HOOK,
  signature: "setTwapWindowOf(uint256,address,uint256)",
  args: Schema.Struct({
    projectId: Schema.String,
    terminalToken: Address,
    newWindow: Schema.String
  }),
  judge: ({ args, account, target, logs }) =>
    Either.map(
      exactlyOne(logs, {
        emitter: target,
        event: "TwapWindowChanged",
        about: { projectId: args.projectId, terminalToken: currencyOf(args.terminalToken) },
        says: { newWindow: is(args.newWindow), caller: is(account) },
        shows: ["projectId", "terminalToken", "oldWindow", "newWindow"]
      }),
      changed => [changed]
    )
})

export const prepareBuybackTwapEffects = planEffects({
  "JBBuybackHook.setTwapWindowOf(uint256,address,uint256)": setTwapWindow
})
