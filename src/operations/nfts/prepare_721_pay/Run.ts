import { Effect } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import type { Address } from "../../../values/Scalars.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import { payCalls } from "../../payments/PayCalls.ts"
import { NATIVE_TOKEN, readAllowance, type Spending } from "../../shared/Allowance.ts"
import { metadataFor, shopPayAt } from "../ShopPayQuote.ts"
import { prepare721Pay } from "./Declaration.ts"
import { prepare721PayEffects } from "./Effects.ts"

type Input = typeof prepare721Pay.input.Type

interface ShopPayFacts {
  readonly metadataIdTarget: Address
  readonly minimumBeneficiaryTokenCount: string
  /** Of an ERC-20 alone. */
  readonly spends: Spending | undefined
}

export const shopPayCalls = (
  input: Input,
  { metadataIdTarget, ...facts }: ShopPayFacts
): ReadonlyArray<PlannedCall<typeof prepare721PayEffects>> =>
  payCalls(
    { ...input, memo: "", metadata: metadataFor(metadataIdTarget, input) },
    { ...facts, route: "multi-terminal" }
  )

/** Of the terminal, which alone is paid. */
const spendingOf = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, { token, account, amount }: Input) {
  if (token === NATIVE_TOKEN) return undefined
  const spender = yield* snapshot.addressOf("JBMultiTerminal")
  const allowance = BigInt(yield* readAllowance(snapshot, token, account, spender))
  const spends: Spending = { token, spender, needed: BigInt(amount), allowance }
  return spends
})

export const runPrepare721Pay = definePlan(
  prepare721Pay,
  prepare721PayEffects,
  Effect.fnUntraced(function* (input, snapshot) {
    const first = yield* eachAtOnce({
      paying: shopPayAt(snapshot, input),
      spends: spendingOf(snapshot, input)
    })
    const { payment, quote } = yield* first.paying
    const { minimumBeneficiaryTokenCount } = yield* payment
    const spends = yield* first.spends
    const metadataIdTarget = yield* snapshot.addressOf("JB721TiersHook")
    const told = ({ warnings, ...summary }: Effect.Effect.Success<typeof quote>) => ({
      summary,
      warnings: [...warnings, ...summary.paymentQuote.warnings]
    })
    return {
      calls: shopPayCalls(input, { metadataIdTarget, minimumBeneficiaryTokenCount, spends }),
      spends,
      told: Effect.map(quote, told)
    }
  })
)
