import { Schema } from "effect"
import { Evidence } from "../../../values/Evidence.ts"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { int, limit, list, optional, Project, withDefault } from "../../shared/inputs/Parts.ts"
import { LONGEST_TIER_PAGE } from "../Inputs.ts"
import { Pricing, ShopFlags, Tier } from "../Records.ts"

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
  kind: "read",
  sources: ["onchain"],
  title: "Show a 721 shop",
  description: "The project's 721 shop: its hook, prices, flags and tiers, at one canonical block.",
  input: strict({
    project: Project,
    startingId: withDefault(Uint256, "0"),
    size: limit(LONGEST_TIER_PAGE, 20),
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
