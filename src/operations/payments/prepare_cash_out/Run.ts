import { Effect } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { type Observed, observed } from "../../../values/Observed.ts"
import { Uint256 } from "../../../values/Scalars.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import { InsufficientBalance } from "../../framework/refusals.ts"
import { hasPermission } from "../../shared/context/Permissions.ts"
import { type CashOutInput, cashOutAt, UNPROVED } from "../CashOutQuote.ts"
import { BurnPermissionDenied } from "../refusals.ts"
import { prepareCashOut } from "./Declaration.ts"
import { prepareCashOutEffects } from "./Effects.ts"

interface CashOutFacts {
  readonly terminalMinimum: string
  readonly metadata: `0x${string}`
}

type Input = typeof prepareCashOut.input.Type

const CASH_OUT_TOKENS = 4

const AS_SIMULATED =
  "The holder's balance and the account's permission are those of the plan's block; both can change before the call is mined."

export const cashOutCalls = (
  { project, holder, cashOutCount, tokenToReclaim, beneficiary }: CashOutInput,
  { terminalMinimum, metadata }: CashOutFacts
): ReadonlyArray<PlannedCall<typeof prepareCashOutEffects>> => [
  {
    contract: "JBMultiTerminal",
    function: "cashOutTokensOf(address,uint256,uint256,address,uint256,address,bytes)",
    args: [holder, project.projectId, cashOutCount, tokenToReclaim, terminalMinimum, beneficiary, metadata],
    label: `Cash out tokens of project ${project.projectId}`
  }
]

const authority = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  { account, holder, project }: Input
) {
  if (account === holder) return "holder" as const
  const { projectId } = project
  if (yield* hasPermission(snapshot, account, holder, projectId, CASH_OUT_TOKENS))
    return "permission" as const
  return yield* new BurnPermissionDenied({
    detail: "The holder has not let the account cash out its tokens.",
    context: { holder, account, permissionId: CASH_OUT_TOKENS }
  })
})

const requireTokens = ({ cashOutCount }: Input, balance: Observed<string>) =>
  balance.status === "known" && BigInt(balance.value) < BigInt(cashOutCount)
    ? new InsufficientBalance({
        detail: "The holder has fewer tokens of the project.",
        context: { balance: balance.value, needed: cashOutCount }
      })
    : Effect.void

const firstAnswers = (snapshot: PinnedSnapshot, input: Input) => {
  const held = snapshot.read("JBTokens", "totalBalanceOf", [input.holder, input.project.projectId], Uint256)
  return eachAtOnce({
    cashOut: cashOutAt(snapshot, input),
    authority: authority(snapshot, input),
    balance: observed(held)
  })
}

export const runPrepareCashOut = definePlan(
  prepareCashOut,
  prepareCashOutEffects,
  Effect.fnUntraced(function* (input, snapshot) {
    const first = yield* firstAnswers(snapshot, input)
    const holderBalance = yield* first.balance
    const enough = requireTokens(input, holderBalance)
    const cashOut = yield* Effect.tapErrorTag(first.cashOut, "SIMULATION_REVERTED", () => enough)
    yield* enough
    const by = yield* first.authority
    const isBalanceKnown = holderBalance.status === "known"
    return {
      calls: cashOutCalls(input, cashOut),
      told: Effect.map(cashOut.quote, ({ warnings, ...quote }) => ({
        summary: { ...quote, holderBalance, authority: by },
        warnings: warnings.map(each => (each === UNPROVED && isBalanceKnown ? AS_SIMULATED : each))
      }))
    }
  })
)
