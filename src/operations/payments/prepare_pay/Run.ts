import { Effect } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import type { Address } from "../../../values/Scalars.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import { NATIVE_TOKEN, readAllowance, type Spending } from "../../shared/Allowance.ts"
import { currentAddressOf } from "../../shared/context/Core.ts"
import { payCalls } from "../PayCalls.ts"
import { type PayInput, payAt } from "../PayQuote.ts"
import { preparePay } from "./Declaration.ts"
import { preparePayEffects } from "./Effects.ts"

/** Of both terminals, before it is known which of them is paid. */
const allowancesFor = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, { token, account }: PayInput) {
  if (token === NATIVE_TOKEN) return undefined
  const multi = yield* snapshot.addressOf("JBMultiTerminal")
  const registry = currentAddressOf(snapshot, "JBRouterTerminalRegistry") ?? multi
  return yield* eachAtOnce({
    "multi-terminal": readAllowance(snapshot, token, account, multi),
    "router-terminal": readAllowance(snapshot, token, account, registry)
  })
})

export const runPreparePay = definePlan(
  preparePay,
  preparePayEffects,
  Effect.fnUntraced(function* (input, snapshot) {
    const first = yield* eachAtOnce({
      pay: payAt(snapshot, input),
      allowances: allowancesFor(snapshot, input)
    })
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
