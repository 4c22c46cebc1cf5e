/** All that a mint's amount rests on: the project's hook, its prices and the credits of the beneficiary. */
import type { DependentCall, Word } from "../../protocol/DependentCalls.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { Address } from "../../values/Scalars.ts"
import { currentAddressOf } from "../shared/context/Core.ts"
import { DATA_HOOK, hookCalls } from "./HookCalls.ts"

interface Paid {
  readonly project: { readonly projectId: string }
  readonly token: Address
  readonly beneficiary: Address
}

const CONTEXT = 1
const DECIMALS: Word = { call: CONTEXT, index: 1 }
const CURRENCY: Word = { call: CONTEXT, index: 2 }

/** Without a contract that all of it needs there is nothing to foresee. */
export const mintCalls = (
  snapshot: PinnedSnapshot,
  { project: { projectId }, token, beneficiary }: Paid
): ReadonlyArray<DependentCall> => {
  const [controller, terminal, prices] = (["JBController", "JBMultiTerminal", "JBPrices"] as const).map(
    name => currentAddressOf(snapshot, name)
  )
  if (controller === undefined || terminal === undefined || prices === undefined) return []
  const naming = hookCalls(snapshot, projectId)
  const first: ReadonlyArray<DependentCall> = [
    { to: controller, signature: "currentRulesetOf(uint256)", words: [projectId] },
    { to: terminal, signature: "accountingContextForTokenOf(uint256,address)", words: [projectId, token] },
    ...naming
  ]
  const hooks = [
    DATA_HOOK,
    ...naming.map((_, position): Word => ({ call: CONTEXT + 1 + position, index: 0 }))
  ]
  const ofHook = (hook: Word, position: number): ReadonlyArray<DependentCall> => {
    const pricing: Word = { call: first.length + position * CALLS_OF_HOOK, index: 0 }
    return [
      { to: hook, signature: "pricingContext()" },
      { to: hook, signature: "PRICES()" },
      { to: hook, signature: "payCreditsOf(address)", words: [beneficiary] },
      {
        to: prices,
        signature: "pricePerUnitOf(uint256,uint256,uint256,uint256)",
        words: [projectId, CURRENCY, pricing, DECIMALS]
      }
    ]
  }
  return [...first, ...hooks.flatMap(ofHook)]
}

const CALLS_OF_HOOK = 4
