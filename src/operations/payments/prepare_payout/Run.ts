import { Effect } from "effect"
import { required } from "../../../values/Observed.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import { keptAwayBy } from "../../framework/OperationProblems.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import { payoutLimitExceeded } from "../PayoutLimit.ts"
import { type PayoutInput, payoutAt, type Sent } from "../PayoutQuote.ts"
import { preparePayout } from "./Declaration.ts"
import { preparePayoutEffects } from "./Effects.ts"

export const payoutCalls = (
  { project, token, amount, currency }: PayoutInput,
  { minimumTokensPaidOut }: Pick<Sent, "minimumTokensPaidOut">
): ReadonlyArray<PlannedCall<typeof preparePayoutEffects>> => [
  {
    contract: "JBMultiTerminal",
    function: "sendPayoutsOf(uint256,address,uint256,uint256,uint256)",
    args: [project.projectId, token, amount, String(currency), minimumTokensPaidOut],
    label: `Send payouts of project ${project.projectId}`
  }
]

/** The terminal pays what the limit leaves, which a plan for more does not mean. */
const requireWhole = (input: PayoutInput, { amountPaidOut, limit, isCut }: Sent) => {
  if (isCut === undefined) return Effect.asVoid(required(limit, keptAwayBy(preparePayout)))
  return isCut ? payoutLimitExceeded(input, amountPaidOut, limit) : Effect.void
}

export const runPreparePayout = definePlan(
  preparePayout,
  preparePayoutEffects,
  Effect.fnUntraced(function* (input, snapshot) {
    const payout = yield* payoutAt(snapshot, input)
    yield* requireWhole(input, payout)
    return {
      calls: payoutCalls(input, payout),
      told: Effect.map(payout.quote, ({ warnings, ...summary }) => ({ summary, warnings }))
    }
  })
)
