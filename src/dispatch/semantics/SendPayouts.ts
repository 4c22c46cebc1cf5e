/** Payouts to a project's splits and owner; one that came back leaves the whole in doubt. Free: ruleset, cycle, owner, fee and leftover. */
import { Either, Schema } from "effect"
import { sha256 } from "../../catalog/Abi.ts"
import { canonicalJson } from "../../values/CanonicalJson.ts"
import { MULTI_TERMINAL } from "./Contracts.ts"
import type { Fields } from "./Events.ts"
import { between, eventsAbout, exactlyOne, is, none } from "./Judgement.ts"
import { predicate } from "./Predicate.ts"

const MAXIMUM_ROWS = 8

const rows = (payouts: ReadonlyArray<Fields>): ReadonlyArray<Fields> => {
  const event = "SendPayoutToSplit"
  const all = payouts.map(({ split, amount, netAmount }) => ({ event, split, amount, netAmount }))
  if (all.length <= MAXIMUM_ROWS) return all
  return [{ event, count: String(all.length), sha256: sha256(canonicalJson(all)) }]
}

export const sendPayouts = predicate({
  name: "send_payouts",
  contractId: MULTI_TERMINAL,
  signature: "sendPayoutsOf(uint256,address,uint256,uint256,uint256)",
  args: Schema.Struct({
    projectId: Schema.String,
    amount: Schema.String,
    minTokensPaidOut: Schema.String
  }),
  judge: ({ args: { projectId, amount, minTokensPaidOut }, account, target, logs }) =>
    Either.gen(function* () {
      const sent = yield* exactlyOne(logs, {
        emitter: target,
        event: "SendPayouts",
        about: { projectId, caller: account },
        says: { amount: is(amount), amountPaidOut: between(minTokensPaidOut) },
        shows: ["projectId", "amount", "amountPaidOut", "fee", "netLeftoverPayoutAmount"]
      })
      for (const event of ["PayoutReverted", "PayoutTransferReverted"])
        yield* none(
          logs,
          { emitter: target, event, about: { projectId } },
          "a payout came back to the project"
        )
      const payouts = yield* eventsAbout(logs, {
        emitter: target,
        event: "SendPayoutToSplit",
        about: { projectId, caller: account }
      })
      return [sent, ...rows(payouts)]
    })
})
