import { Schema } from "effect"
import { Evidence } from "../../values/Evidence.ts"
import { ObservedOf } from "../../values/Observed.ts"
import { Address, Hex, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declareOperation } from "../framework/Operation.ts"
import { readInputs } from "../inputs/ReadInputs.ts"
import { Project } from "../inputs/Shared.ts"
import { quotePay } from "../quotes/Declarations.ts"
import { Pricing, ShopFlags, Tier } from "./Records.ts"

const Uri = ObservedOf(Schema.String).annotations({ description: "Untrusted text; nothing was fetched." })

const ListedTier = strict({
  ...Tier.fields,
  resolvedUri: Schema.NullOr(Uri).annotations({ description: "Null where it was not asked for." })
}).annotations({ identifier: "ListedShopTier" })

const Shop = strict({
  hook: Address,
  store: Address,
  metadataIdTarget: Address,
  pricing: ObservedOf(Pricing),
  flags: ObservedOf(ShopFlags),
  baseUri: Uri,
  contractUri: Uri,
  tokenUriResolver: ObservedOf(Schema.NullOr(Address)),
  tiers: ObservedOf(Schema.Array(ListedTier))
}).annotations({ identifier: "Shop" })

const TiersPage = strict({
  startingId: Uint256,
  size: Schema.Int,
  returned: Schema.Int,
  complete: Schema.Boolean,
  nextStartingId: Schema.NullOr(Uint256),
  instruction: Schema.String
}).annotations({ identifier: "TiersPage" })

const NoShop = strict({
  project: Project,
  isRevnet: Schema.Boolean,
  shop: Schema.Null,
  evidence: Schema.Array(Evidence)
}).annotations({ identifier: "NoShop", description: "The project has no 721 shop." })

const ShopAnswer = strict({
  project: Project,
  isRevnet: Schema.Boolean,
  activePayRuleset: Schema.Boolean,
  shop: Shop,
  pagination: ObservedOf(TiersPage),
  units: strict({
    price: Schema.String,
    discountDenominator: Schema.Literal(200),
    splitDenominator: Schema.Literal(1_000_000_000),
    supply: Schema.String
  }),
  metadataTrust: Schema.String,
  evidence: Schema.Array(Evidence),
  sources: Schema.Array(Schema.String)
}).annotations({ identifier: "ShopAnswer" })

export const get721Shop = declareOperation({
  id: "get_721_shop",
  input: readInputs.get_721_shop,
  output: Schema.Union(ShopAnswer, NoShop),
  problems: [
    "PROJECT_NOT_FOUND",
    "PROJECT_WITHOUT_CONTROLLER",
    "UNSUPPORTED_CONTROLLER",
    "INVALID_REVNET_IDENTITY",
    "UNSUPPORTED_721_HOOK",
    "INVALID_721_IDENTITY",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})

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

export const quote721Pay = declareOperation({
  id: "quote_721_pay",
  input: readInputs.quote_721_pay,
  output: strict({ ...ShopPayBasis.fields, warnings: Schema.Array(Schema.String) }).annotations({
    identifier: "ShopPayQuote"
  }),
  problems: [
    ...quotePay.problems.filter(code => code !== "INVALID_MEMO"),
    "UNSUPPORTED_CONTROLLER",
    "INVALID_REVNET_IDENTITY",
    "NO_721_SHOP",
    "NFT_HOOK_NOT_INVOKED",
    "NFT_ROUTER_UNSUPPORTED",
    "NFT_PRICE_UNAVAILABLE",
    "INVALID_NFT_PREVIEW",
    "NFT_CREDITS_RESTRICTED",
    "NFT_OVERSPENDING"
  ]
})
