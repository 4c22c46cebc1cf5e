/** A prepaid provider paid for one bundle. What it then does is proved by the calls that it was paid for. */
import { Either, Schema } from "effect"
import { PREPAID_PAYMENTS } from "../../../catalog/ExecutionContracts.ts"
import { exactlyOne, is } from "../../../effects/Judgement.ts"
import { predicate } from "../../../effects/Predicate.ts"

export const prepayment = predicate({
  name: "prepayment",
  contractId: PREPAID_PAYMENTS,
  signature: "prepayment(bytes16,uint40)",
  args: Schema.Struct({ bundle: Schema.String, deadline: Schema.String }),
  judge: ({ args, value, target, logs }) =>
    Either.map(
      exactlyOne(logs, {
        emitter: target,
        event: "Prepayment",
        about: { bundle: args.bundle },
        says: { amount: is(value), deadline: is(args.deadline) },
        shows: ["bundle", "amount", "deadline"]
      }),
      paid => [paid]
    )
})
