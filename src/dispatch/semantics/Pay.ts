/** A payment straight to the terminal. Free: the ruleset, its cycle and the tokens issued, whose minimum the terminal enforces. */
import { Either, Schema } from "effect"
import { MULTI_TERMINAL } from "./Contracts.ts"
import { exactlyOne, is } from "./Judgement.ts"
import { predicate } from "./Predicate.ts"
import { received } from "./Received.ts"

export const pay = predicate({
  name: "pay",
  contractId: MULTI_TERMINAL,
  signature: "pay(uint256,address,uint256,address,uint256,string,bytes)",
  args: Schema.Struct({
    projectId: Schema.String,
    token: Schema.String,
    amount: Schema.String,
    beneficiary: Schema.String,
    memo: Schema.String,
    metadata: Schema.String
  }),
  judge: ({ args, value, account, target, logs }) =>
    Either.map(
      exactlyOne(logs, {
        emitter: target,
        event: "Pay",
        about: { projectId: args.projectId, payer: account, caller: account },
        says: {
          beneficiary: is(args.beneficiary),
          amount: received(args.token, args.amount, value),
          memo: is(args.memo),
          metadata: is(args.metadata)
        },
        shows: ["projectId", "beneficiary", "amount", "newlyIssuedTokenCount"]
      }),
      payment => [payment]
    )
})
