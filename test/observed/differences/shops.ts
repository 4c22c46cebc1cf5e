/** What the sandbox does otherwise with shops. */
import type { Family } from "../Family.ts"

export const shops: Family = {
  scenarios: ["shop-launch", "shop-adjust", "shop-pay", "shop-usdc"],
  leftOut: [
    {
      scenario: "shop-launch",
      steps: [49],
      reason: "the shops' project deployer launches no rulesets of projects that exist"
    }
  ],
  otherwise: [
    {
      scenario: "shop-pay",
      steps: [8],
      aspect: "result",
      at: "",
      reason: "a token's URI is the base URI and its id, not its tier's encoded IPFS URI"
    }
  ]
}
