import { Schema } from "effect"
import { Evidence } from "../../values/Evidence.ts"
import { ObservedOf } from "../../values/Observed.ts"
import { Address, Hex, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { quotePay } from "../payments/quote_pay/Declaration.ts"
import { Project } from "../shared/inputs/Parts.ts"
import { Pricing, Tier } from "./Records.ts"

/** What a plan's summary keeps of the quote; its warnings are the plan's. */
export const ShopPayBasis = strict({
  operation: Schema.Literal("721_pay"),
  project: Project,
  paymentQuote: quotePay.output,
  hook: Address,
  store: Address,
  metadataIdTarget: Address,
  pricing: Pricing,
  beneficiary: Address,
  tierIds: Schema.Array(Schema.Int),
  indicativeTokenIds: Schema.Array(Uint256),
  destination: strict({
    terminal: Address,
    token: Address,
    amount: Uint256,
    payer: Address,
    route: Schema.Literal("direct")
  }),
  normalizedPayment: Uint256,
  priorNFTCredits: Uint256,
  usableNFTCredits: Uint256,
  leftoverNFTCredits: Uint256,
  resultingNFTCredits: Uint256,
  tiers: ObservedOf(Schema.Array(Tier)),
  metadata: Hex,
  deliveryCheck: strict({ simulated: Schema.String, meaning: Schema.String }),
  evidence: Schema.Array(Evidence),
  sources: Schema.Array(Schema.String)
})
