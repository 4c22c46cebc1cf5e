import { Effect } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { Address } from "../../values/Scalars.ts"
import { currentAddressOf, EACH_AT_ONCE } from "../context/Core.ts"
import { definePlan } from "../framework/DefinePlan.ts"
import { NATIVE_TOKEN, readAllowance, type Spending, spendingCalls } from "../plans/Allowance.ts"
import type { PlannedCall } from "../plans/PlanCalls.ts"
import { type PayInput, payAt } from "./PayQuote.ts"
import { preparePay } from "./PlanDeclarations.ts"

interface PayFacts {
  readonly route: "multi-terminal" | "router-terminal"
  readonly minimumBeneficiaryTokenCount: string
  /** Of an ERC-20 alone. */
  readonly spends: Spending | undefined
}

const CONTRACTS = { "multi-terminal": "JBMultiTerminal", "router-terminal": "JBRouterTerminalRegistry" }

export const payCalls = (
  { project, token, amount, beneficiary, memo, metadata }: PayInput,
  { route, minimumBeneficiaryTokenCount, spends }: PayFacts
): ReadonlyArray<PlannedCall> =>
  spendingCalls(spends, {
    contract: CONTRACTS[route],
    function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
    args: [project.projectId, token, amount, beneficiary, minimumBeneficiaryTokenCount, memo, metadata],
    value: token === NATIVE_TOKEN ? BigInt(amount) : 0n,
    label: `Pay project ${project.projectId}`
  })

/** Of both terminals, before it is known which of them is paid. */
const allowancesFor = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, { token, account }: PayInput) {
  if (token === NATIVE_TOKEN) return undefined
  const multi = yield* snapshot.addressOf("JBMultiTerminal")
  const registry = currentAddressOf(snapshot, "JBRouterTerminalRegistry") ?? multi
  return yield* Effect.all(
    {
      "multi-terminal": readAllowance(snapshot, token, account, multi),
      "router-terminal": readAllowance(snapshot, token, account, registry)
    },
    EACH_AT_ONCE
  )
})

export const runPreparePay = definePlan(
  preparePay,
  Effect.fnUntraced(function* (input, snapshot) {
    const first = yield* Effect.all(
      { pay: payAt(snapshot, input), allowances: allowancesFor(snapshot, input) },
      EACH_AT_ONCE
    )
    const { destination, minimumBeneficiaryTokenCount, quote } = yield* first.pay
    const { route, terminal } = destination
    const allowances = yield* first.allowances
    const spends =
      allowances === undefined ? undefined : spendingOf(input, terminal, BigInt(yield* allowances[route]))
    return {
      calls: payCalls(input, { route, minimumBeneficiaryTokenCount, spends }),
      spends,
      told: Effect.map(quote, ({ warnings, ...summary }) => ({ summary, warnings }))
    }
  })
)

const spendingOf = ({ token, amount }: PayInput, spender: Address, allowance: bigint): Spending => ({
  token,
  spender,
  needed: BigInt(amount),
  allowance
})
