/** A payment straight to the terminal, with the tokens of the tiers that it asks a shop for. Free: the ruleset, its cycle and the tokens issued, whose minimum the terminal enforces. */
import { Either, Schema } from "effect"
import { TIERS_HOOK } from "../../../catalog/CloneFamilies.ts"
import { MULTI_TERMINAL } from "../../../effects/Contracts.ts"
import { exactlyOne, is } from "../../../effects/Judgement.ts"
import { mintedTiers } from "../../../effects/MintedTiers.ts"
import { predicate } from "../../../effects/Predicate.ts"
import { received } from "../../../effects/Received.ts"

export const payEffect = predicate({
  name: "pay",
  contractId: MULTI_TERMINAL,
  signature: "pay(uint256,address,uint256,address,uint256,string,bytes)",
  witnesses: [TIERS_HOOK],
  args: Schema.Struct({
    projectId: Schema.String,
    token: Schema.String,
    amount: Schema.String,
    beneficiary: Schema.String,
    memo: Schema.String,
    metadata: Schema.String
  }),
  judge: scene =>
    Either.gen(function* () {
      const { args, value, account, target, logs } = scene
      const payment = yield* exactlyOne(logs, {
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
      })
      return [payment, ...(yield* mintedTiers(scene))]
    })
})
