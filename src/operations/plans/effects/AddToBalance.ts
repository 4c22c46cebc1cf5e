/** Money added to a project's balance. The event names no token; free are the held fees that came back. */
import { Either, Schema } from "effect"
import { MULTI_TERMINAL } from "../../../effects/Contracts.ts"
import { exactlyOne, is } from "../../../effects/Judgement.ts"
import { predicate } from "../../../effects/Predicate.ts"
import { received } from "../../../effects/Received.ts"

export const addToBalance = predicate({
  name: "add_to_balance",
  contractId: MULTI_TERMINAL,
  signature: "addToBalanceOf(uint256,address,uint256,bool,string,bytes)",
  args: Schema.Struct({
    projectId: Schema.String,
    token: Schema.String,
    amount: Schema.String,
    memo: Schema.String,
    metadata: Schema.String
  }),
  judge: ({ args, value, account, target, logs }) =>
    Either.map(
      exactlyOne(logs, {
        emitter: target,
        event: "AddToBalance",
        about: { projectId: args.projectId, caller: account },
        says: {
          amount: received(args.token, args.amount, value),
          memo: is(args.memo),
          metadata: is(args.metadata)
        },
        shows: ["projectId", "amount", "returnedFees"]
      }),
      added => [added]
    )
})
