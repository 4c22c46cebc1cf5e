import { Effect } from "effect"
import { definePlan } from "../framework/DefinePlan.ts"
import type { PlannedCall } from "../plans/PlanCalls.ts"
import { type PayoutInput, payoutAt, type Sent } from "./PayoutQuote.ts"
import { preparePayout } from "./PlanDeclarations.ts"
import { NothingToPayOut } from "./refusals.ts"

type PayoutFacts = Pick<Sent, "amountPaidOut" | "minimumTokensPaidOut" | "context">

export const payoutCalls = (
  { project, token, amount, currency }: PayoutInput,
  { minimumTokensPaidOut }: Pick<PayoutFacts, "minimumTokensPaidOut">
): ReadonlyArray<PlannedCall> => [
  {
    contract: "JBMultiTerminal",
    function: "sendPayoutsOf(uint256,address,uint256,uint256,uint256)",
    args: [project.projectId, token, amount, String(currency), minimumTokensPaidOut],
    label: `Send payouts of project ${project.projectId}`
  }
]

/** The terminal pays what the limit leaves, which a plan for more does not mean. */
const requireWhole = ({ amount, currency }: PayoutInput, { amountPaidOut, context }: PayoutFacts) =>
  String(currency) === context.currency && BigInt(amountPaidOut) < BigInt(amount)
    ? new NothingToPayOut({ context: { amount, amountPaidOut } })
    : Effect.void

export const runPreparePayout = definePlan(
  preparePayout,
  Effect.fnUntraced(function* (input, snapshot) {
    const payout = yield* payoutAt(snapshot, input)
    yield* requireWhole(input, payout)
    return {
      calls: payoutCalls(input, payout),
      told: Effect.map(payout.quote, ({ warnings, ...summary }) => ({ summary, warnings }))
    }
  })
)
