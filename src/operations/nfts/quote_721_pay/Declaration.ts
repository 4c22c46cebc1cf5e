import { Schema } from "effect"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { quotePay } from "../../payments/quote_pay/Declaration.ts"
import { shopPay } from "../Inputs.ts"
import { ShopPayBasis } from "../Schemas.ts"

export const quote721Pay = declareOperation({
  id: "quote_721_pay",
  kind: "read",
  sources: ["onchain"],
  title: "Quote a 721 payment",
  description: "What paying for these tiers would mint now, with the credits it uses and leaves.",
  input: strict(shopPay),
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
