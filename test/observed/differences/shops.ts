/** What the sandbox does otherwise with shops and revnets. */
import type { Family } from "../Family.ts"

export const shops: Family = {
  scenarios: [
    "shop-launch",
    "shop-adjust",
    "shop-pay",
    "shop-usdc",
    "revnet-deploy",
    "revnet-shop-usdc",
    "pay-revnet",
    "cash-out-revnet"
  ],
  leftOut: [],
  otherwise: []
}
