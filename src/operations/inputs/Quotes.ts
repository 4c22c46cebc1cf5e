import { Schema } from "effect"
import { Address, ChainId, PositiveUint256, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { Currency, RulesetConfiguration } from "./Configuration.ts"
import {
  Bytes,
  Hash,
  int,
  limit,
  list,
  optional,
  Project,
  SlippageBps,
  SomeAddress,
  text,
  uint,
  withDefault
} from "./Shared.ts"

/** Its length in bytes is judged by the operation, which refuses it with a code of its own. */
export const Memo = withDefault(text(4096), "")

export const pay = {
  project: Project,
  account: Address,
  token: SomeAddress,
  amount: PositiveUint256,
  beneficiary: SomeAddress,
  slippageBps: SlippageBps,
  metadata: withDefault(Bytes, "0x"),
  memo: Memo
}

export const cashOut = {
  project: Project,
  holder: Address,
  cashOutCount: PositiveUint256,
  tokenToReclaim: SomeAddress,
  beneficiary: SomeAddress,
  slippageBps: SlippageBps,
  terminal: optional(Address)
}

export const payout = {
  project: Project,
  account: Address,
  token: SomeAddress,
  amount: PositiveUint256,
  currency: Currency,
  slippageBps: SlippageBps,
  terminal: optional(Address)
}

export const rulesetChange = {
  project: Project,
  account: SomeAddress,
  rulesetConfigurations: list(RulesetConfiguration, 16, 1)
}

export const loan = {
  project: Project,
  holder: Address,
  token: SomeAddress,
  collateralCount: uint(112, 1),
  prepaidFeePercent: int(25, 500),
  beneficiary: SomeAddress
}

export const shopPay = {
  project: Project,
  account: Address,
  token: SomeAddress,
  amount: PositiveUint256,
  beneficiary: SomeAddress,
  tierIds: list(int(1, 65_535), 32, 1).annotations({ description: "a tier as often as it is bought" }),
  slippageBps: SlippageBps,
  allowOverspending: withDefault(Schema.Boolean, false)
}

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

const Scenario = strict({
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
  scenarios: list(Scenario, 50, 1)
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

export const quoteInputs = {
  quote_pay: strict(pay),
  quote_cash_out: strict({ ...cashOut, account: optional(Address) }),
  quote_payout: strict(payout),
  model_economics: Model,
  preview_ruleset_change: strict(rulesetChange),
  quote_loan: strict({ ...loan, account: optional(Address) }),
  get_loan: strict({ chainId: ChainId, loanId: PositiveUint256 }),
  get_routing: strict({
    project: Project,
    tokens: optional(list(SomeAddress, 8)),
    pairs: optional(list(strict({ tokenIn: SomeAddress, tokenOut: SomeAddress }), 4)),
    pendingCallIds: optional(list(Hash, 8))
  }),
  get_721_shop: strict({
    project: Project,
    startingId: withDefault(Uint256, "0"),
    size: limit(32, 20),
    categories: optional(
      list(int(0, 16_777_215), 16).pipe(
        Schema.filter(
          categories =>
            categories.every((category, index) => index === 0 || category > (categories[index - 1] ?? 0)),
          { jsonSchema: {}, message: () => "categories that increase" }
        )
      )
    ),
    includeResolvedUri: withDefault(Schema.Boolean, false)
  }),
  quote_721_pay: strict(shopPay),
  get_revnet: strict({
    project: Project,
    startingId: withDefault(Uint256, "0"),
    size: limit(32, 16),
    operator: optional(Address)
  })
} as const
