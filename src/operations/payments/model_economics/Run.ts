/** Runs scenarios through a ruleset configuration in the contracts' own arithmetic; no chain is asked. */
import { Effect } from "effect"
import { defineOperation } from "../../framework/Operation.ts"
import { fitsUint256, WEIGHT_SCALE } from "../../shared/economics/Arithmetic.ts"
import { reclaimable } from "../../shared/economics/CashOut.ts"
import { splitReserved, tokensIssuedFor } from "../../shared/economics/Issuance.ts"
import { weightAfterCuts } from "../../shared/economics/Weight.ts"
import { modelEconomics } from "./Declaration.ts"
import { CustomHookModelUnsupported, ScenarioOverflow } from "./refusals.ts"

const ARITHMETIC = [
  "All values are integers; every product is exact and every division rounds towards zero.",
  "The weight is cut once for each completed cycle and rounded each time: weight * (1000000000 - weightCutPercent) / 1000000000.",
  "Tokens issued are contribution * weight / 10^18; the beneficiary's part is total * (10000 - reservedPercent) / 10000 and the rest is reserved.",
  "A cash out reclaims surplus * count / supply, times (10000 - tax + tax * count / supply) / 10000; all of the supply reclaims all of the surplus."
]

const LIMITATIONS = [
  "No chain is read: the project's real supply, surplus, limits and rulesets are not known.",
  "No price feeds: contributions are given in the base currency already.",
  "No hooks: data hooks, buybacks and 721 tiers change what a payment issues and a cash out reclaims.",
  "No fees: a cash out owes 2.5 %, a payout that leaves the protocol 2.5 % of each recipient's part, each rounded down.",
  "No splits are executed; reserved tokens stay pending and payout limits are only repeated.",
  "It is arithmetic, not a forecast of payments, prices or cash outs."
]

const SOURCES = [
  "@bananapus/core-v6:src/JBRulesets.sol",
  "@bananapus/core-v6:src/libraries/JBCashOuts.sol",
  "@bananapus/core-v6:src/JBController.sol",
  "@bananapus/core-v6:src/JBTerminalStore.sol"
]

type Input = typeof modelEconomics.input.Type
type Scenario = Input["scenarios"][number]

const effectiveWeightOf = ({ rulesetConfiguration, inheritedWeight, completedCycles }: Input): bigint =>
  weightAfterCuts(
    BigInt(inheritedWeight ?? rulesetConfiguration.weight),
    BigInt(rulesetConfiguration.weightCutPercent),
    completedCycles
  )

const issuanceOf = ({ contributionInBaseCurrency }: Scenario, weight: bigint, reservedPercent: number) => {
  const total = tokensIssuedFor(BigInt(contributionInBaseCurrency), weight, WEIGHT_SCALE)
  if (!fitsUint256(total)) return undefined
  const { beneficiary, reserved } = splitReserved(total, BigInt(reservedPercent))
  return {
    totalTokenCount: String(total),
    beneficiaryTokenCount: String(beneficiary),
    pendingReservedTokenCount: String(reserved),
    decimals: 18 as const
  }
}

const cashOutOf = ({ cashOut }: Scenario, taxRate: number) => {
  if (cashOut === undefined) return null
  const reclaim = reclaimable({
    surplus: BigInt(cashOut.surplusAtomic),
    count: BigInt(cashOut.cashOutCount),
    supply: BigInt(cashOut.totalSupply),
    taxRate: BigInt(taxRate)
  })
  return { ...cashOut, reclaimBeforeProtocolFeesAtomic: String(reclaim) }
}

const outcomeOf = (scenario: Scenario, weight: bigint, { metadata }: Input["rulesetConfiguration"]) => {
  const { label, contributionInBaseCurrency } = scenario
  const issuance = metadata.pausePay ? null : issuanceOf(scenario, weight, metadata.reservedPercent)
  if (issuance === undefined)
    return Effect.fail(
      new ScenarioOverflow({
        detail: "The contribution would issue more tokens than 256 bits hold.",
        context: { label }
      })
    )
  return Effect.succeed({
    label,
    contributionInBaseCurrency,
    payAllowedByPauseFlag: !metadata.pausePay,
    issuance,
    cashOut: cashOutOf(scenario, metadata.cashOutTaxRate)
  })
}

export const runModelEconomics = defineOperation(modelEconomics, input =>
  Effect.gen(function* () {
    const { rulesetConfiguration, completedCycles } = input
    const { metadata, fundAccessLimitGroups } = rulesetConfiguration
    if (metadata.useDataHookForPay || metadata.useDataHookForCashOut)
      return yield* new CustomHookModelUnsupported({ context: { dataHook: metadata.dataHook } })
    const weight = effectiveWeightOf(input)
    return {
      kind: "mathematical-model" as const,
      baseCurrency: metadata.baseCurrency,
      effectiveWeight: String(weight),
      completedCycles,
      arithmetic: ARITHMETIC,
      scenarios: yield* Effect.forEach(input.scenarios, scenario =>
        outcomeOf(scenario, weight, rulesetConfiguration)
      ),
      payoutBudgets: fundAccessLimitGroups.map(({ terminal, token, payoutLimits }) => ({
        terminal,
        token,
        payoutLimits
      })),
      limitations: LIMITATIONS,
      sources: SOURCES
    }
  })
)
