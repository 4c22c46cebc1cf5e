import { Schema } from "effect"
import { Address, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declareOperation } from "../framework/Operation.ts"
import { readInputs } from "../inputs/ReadInputs.ts"

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
  input: readInputs.model_economics,
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
