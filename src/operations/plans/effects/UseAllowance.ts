/** A draw on a project's surplus allowance. Free: the ruleset, its cycle and what was paid before the fee, but nothing for something. */
import { Either, Schema } from "effect"
import { MULTI_TERMINAL } from "../../../effects/Contracts.ts"
import type { EventFields } from "../../../effects/Events.ts"
import { between, exactlyOne, is, type Refutation } from "../../../effects/Judgement.ts"
import { predicate } from "../../../effects/Predicate.ts"

const isPaid = ({ amount, amountPaidOut }: EventFields): boolean => amount === "0" || amountPaidOut !== "0"

export const useAllowance = predicate({
  name: "use_allowance",
  contractId: MULTI_TERMINAL,
  signature: "useAllowanceOf(uint256,address,uint256,uint256,uint256,address,address,string)",
  args: Schema.Struct({
    projectId: Schema.String,
    amount: Schema.String,
    minTokensPaidOut: Schema.String,
    beneficiary: Schema.String,
    feeBeneficiary: Schema.String,
    memo: Schema.String
  }),
  judge: ({ args, account, target, logs }) =>
    Either.filterOrLeft(
      exactlyOne(logs, {
        emitter: target,
        event: "UseAllowance",
        about: { projectId: args.projectId, caller: account },
        says: {
          beneficiary: is(args.beneficiary),
          feeBeneficiary: is(args.feeBeneficiary),
          amount: is(args.amount),
          netAmountPaidOut: between(args.minTokensPaidOut),
          memo: is(args.memo)
        },
        shows: ["projectId", "beneficiary", "amount", "amountPaidOut", "netAmountPaidOut"]
      }),
      isPaid,
      (): Refutation => ({ status: "unknown", reason: "the draw paid nothing out" })
    ).pipe(Either.map(used => [used]))
})
