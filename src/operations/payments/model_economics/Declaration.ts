import { Schema } from "effect"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { RulesetConfiguration } from "../../shared/inputs/Configuration.ts"
import { int, list, optional, text, uint } from "../../shared/inputs/Parts.ts"
import { MOST_SCENARIOS } from "../Inputs.ts"

const ModelledCashOut = strict({
  surplusAtomic: Uint256,
  cashOutCount: Uint256,
  totalSupply: Uint256
}).pipe(
  Schema.filter(({ cashOutCount, totalSupply }) => BigInt(cashOutCount) <= BigInt(totalSupply), {
    jsonSchema: {},
    message: () => "a cash out of at most the total supply"
  })
)

const ModelledScenario = strict({
  label: text(160, 1),
  contributionInBaseCurrency: Uint256,
  cashOut: optional(ModelledCashOut)
})

const needsInheritedWeight = (role: string, weight: string) => role === "successor" && weight === "1"

const Model = strict({
  rulesetConfiguration: RulesetConfiguration,
  rulesetRole: Schema.Literal("initial", "successor"),
  inheritedWeight: optional(uint(112)),
  completedCycles: int(0, 10_000),
  scenarios: list(ModelledScenario, MOST_SCENARIOS, 1)
}).pipe(
  Schema.filter(
    ({ completedCycles, rulesetConfiguration }) =>
      completedCycles === 0 || rulesetConfiguration.duration !== 0,
    { jsonSchema: {}, message: () => "no completed cycles of a ruleset without duration" }
  ),
  Schema.filter(
    ({ inheritedWeight, rulesetConfiguration, rulesetRole }) =>
      needsInheritedWeight(rulesetRole, rulesetConfiguration.weight) === (inheritedWeight !== undefined),
    { jsonSchema: {}, message: () => "an inherited weight exactly where a successor's weight is 1" }
  )
)

const checksummed = Schema.typeSchema(Address)

const Issuance = strict({
  totalTokenCount: Uint256,
  beneficiaryTokenCount: Uint256,
  pendingReservedTokenCount: Uint256,
  decimals: Schema.Literal(18)
})

const CashOut = strict({
  surplusAtomic: Uint256,
  cashOutCount: Uint256,
  totalSupply: Uint256,
  reclaimBeforeProtocolFeesAtomic: Uint256
})

const Scenario = strict({
  label: Schema.String,
  contributionInBaseCurrency: Uint256,
  payAllowedByPauseFlag: Schema.Boolean,
  issuance: Schema.NullOr(Issuance).annotations({ description: "null where payments are paused" }),
  cashOut: Schema.NullOr(CashOut).annotations({ description: "null where the scenario asked for none" })
})

const PayoutBudget = strict({
  terminal: checksummed,
  token: checksummed,
  payoutLimits: Schema.Array(strict({ amount: Uint256, currency: Schema.Int }))
})

const Texts = Schema.Array(Schema.String)

export const modelEconomics = declareOperation({
  id: "model_economics",
  kind: "read",
  sources: ["model"],
  title: "Model economics",
  description:
    "Computes issuance and cash outs of a ruleset configuration in the contracts' own integer arithmetic, without any chain.",
  input: Model,
  output: strict({
    kind: Schema.Literal("mathematical-model"),
    baseCurrency: Schema.Int,
    effectiveWeight: Uint256,
    completedCycles: Schema.Int,
    arithmetic: Texts,
    scenarios: Schema.Array(Scenario),
    payoutBudgets: Schema.Array(PayoutBudget),
    limitations: Texts,
    sources: Texts
  }).annotations({ identifier: "EconomicsModel" }),
  problems: ["CUSTOM_HOOK_MODEL_UNSUPPORTED", "SCENARIO_OVERFLOW"]
})
