import { Either, Schema } from "effect"
import { currencyOf } from "../protocol/PoolIds.ts"
import { Address } from "../values/Scalars.ts"
import { BUYBACK_HOOK } from "./Contracts.ts"
import { exactlyOne, is } from "./Judgement.ts"
import { predicate } from "./Predicate.ts"

export const setTwapWindow = predicate({
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
