import { Schema } from "effect"
import { Split } from "../../protocol/ProjectRecords.ts"
import { Evidence } from "../../values/Evidence.ts"
import { ObservedOf } from "../../values/Observed.ts"
import { Address, Hex, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { HookKind } from "../shared/context/HookKind.ts"
import { Project } from "../shared/inputs/Parts.ts"
import { HookSpecification } from "./Previews.ts"

const checksummed = Schema.typeSchema(Address)

const EIGHTEEN = Schema.Literal(18)

const about = { project: Project, account: checksummed }

const basis = {
  rulesetId: Uint256,
  slippageBps: Schema.Int,
  evidence: Schema.Array(Evidence)
}

const RouteEvidence = strict({
  dataHooks: Schema.Array(strict({ kind: HookKind, hook: checksummed })).annotations({
    description: "the hooks that may act, from the ruleset's data hook inwards"
  }),
  buybackHook: Schema.NullOr(checksummed),
  shop: Schema.NullOr(checksummed)
})

export const PayBasis = strict({
  operation: Schema.Literal("pay"),
  ...about,
  terminal: checksummed,
  terminalPath: Schema.Array(checksummed),
  routerGateway: Schema.NullOr(checksummed),
  route: Schema.Literal("multi-terminal", "router-terminal"),
  quoteBasis: Schema.Literal("terminal-issuance-preview", "buyback-hook-indicative-output"),
  payment: strict({ token: checksummed, amount: Uint256, unit: Schema.Literal("token-base-units") }),
  beneficiary: checksummed,
  projectTokenDecimals: EIGHTEEN,
  beneficiaryTokenCount: Uint256,
  reservedTokenCount: Uint256,
  rawTerminalPreview: strict({
    semantics: Schema.Literal("issuance", "router-normalized"),
    beneficiaryTokenCount: Uint256,
    reservedTokenCount: Uint256
  }).annotations({ description: "as the terminal previewed it, before what a buyback changes" }),
  minimumBeneficiaryTokenCount: Uint256,
  metadata: Hex,
  hooks: Schema.Array(HookSpecification),
  routeEvidence: RouteEvidence,
  ...basis
})

const ExecutableQuote = strict({
  minimumSwapAmountOut: Uint256,
  cashOutCountToSell: Uint256,
  netDirectCashOutAmount: Uint256
}).annotations({ description: "what the buyback hook would sell the tokens for" })

export const CashOutBasis = strict({
  operation: Schema.Literal("cash_out"),
  project: Project,
  holder: checksummed,
  account: checksummed,
  beneficiary: checksummed,
  terminal: checksummed,
  tokenToReclaim: checksummed,
  tokenDecimals: Uint256,
  accountingCurrency: Uint256,
  cashOutCount: Uint256,
  projectTokenDecimals: EIGHTEEN,
  route: Schema.Literal("treasury", "amm"),
  quoteBasis: Schema.Literal("terminal-preview-after-protocol-fee", "buyback-hook-indicative-output"),
  expectedReturn: Uint256,
  minimumReturn: Uint256,
  terminalMinimum: Uint256,
  metadata: Hex,
  treasuryGross: Uint256.annotations({ description: "what the treasury returns; 0 on the route amm" }),
  treasuryProtocolFee: Uint256.annotations({ description: "taken of treasuryGross" }),
  treasuryNet: Uint256.annotations({
    description:
      "what the treasury returns after the fee; on the route amm, what it would have returned instead"
  }),
  cashOutTaxRate: Uint256.annotations({
    description: "as the terminal previews it: 10000 on the route amm, where the treasury returns nothing"
  }),
  beneficiaryIsFeeless: Schema.Boolean,
  buybackExecutableQuote: Schema.optionalWith(ExecutableQuote, { exact: true }),
  hooks: Schema.Array(HookSpecification),
  ...basis
})

const PAID = {
  amount: Uint256,
  netAfterFee: Uint256.annotations({
    description: "what arrives after the protocol's fee of 2.5 %, where the recipient owes it"
  }),
  failure: ObservedOf(Schema.NullOr(Schema.String)).annotations({
    description: "why the part cannot be paid now and stays with the paying project, null where it can"
  })
}

export const Distribution = strict({
  splits: Schema.Array(strict({ split: Split, ...PAID })),
  owner: strict(PAID),
  fee: Uint256.annotations({
    description: "what those who owe it are charged together, each part rounded down"
  }),
  feeIsHeld: Schema.Boolean.annotations({ description: "by the terminal for 28 days" }),
  returned: Uint256.annotations({ description: "what stays with the paying project" })
}).annotations({
  description:
    "How the splits divide the amount, each part run beforehand; feeless addresses and projects of the same terminal owe no fee."
})

const PayoutLimit = strict({
  limit: Uint256,
  used: Uint256,
  left: Uint256
}).annotations({
  description: "of the running cycle, in the quote's currency with the token's decimals"
})

/** What a plan's summary keeps of the quote; its warnings are the plan's. */
export const PayoutBasis = strict({
  operation: Schema.Literal("payout"),
  ...about,
  terminal: checksummed,
  token: checksummed,
  tokenDecimals: Uint256,
  amount: Uint256,
  currency: Schema.Int,
  amountPaidOut: Uint256.annotations({
    description: "before splits and fees; less than was asked for where the payout limit leaves less"
  }),
  minimumTokensPaidOut: Uint256,
  payoutLimit: ObservedOf(PayoutLimit),
  ownerMustSendPayouts: Schema.Boolean,
  distribution: ObservedOf(Distribution),
  ...basis
})

/** Of what a terminal gives out. */
export const FROM_TERMINAL = [
  "PROJECT_NOT_FOUND",
  "PROJECT_WITHOUT_CONTROLLER",
  "UNSUPPORTED_CONFIGURATION",
  "NO_ACTIVE_RULESET",
  "UNSUPPORTED_TERMINAL",
  "TERMINAL_NOT_REGISTERED",
  "TOKEN_NOT_ACCEPTED"
] as const

export const warned = { warnings: Schema.Array(Schema.String) }
