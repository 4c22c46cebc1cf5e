/** What the sandbox does otherwise with projects, rulesets, payments and tokens. */
import type { Family } from "../Family.ts"

export const core: Family = {
  scenarios: [
    "launch",
    "rulesets-queue",
    "rulesets-approval",
    "rulesets-approval-late",
    "rulesets-two",
    "splits-locked",
    "pay-native",
    "pay-states",
    "pay-usdc",
    "add-to-balance",
    "reserved-tokens",
    "tokens",
    "permissions",
    "ownership",
    "terminals",
    "forwarder"
  ],
  leftOut: [
    { scenario: "pay-usdc", steps: [34, 35, 36, 37, 38], reason: "Permit2 is left out" },
    { scenario: "terminals", steps: [13, 15], reason: "migration of balances is left out" }
  ],
  otherwise: [
    {
      scenario: "pay-usdc",
      steps: [2, 4, 31],
      aspect: "revert",
      at: "error",
      reason: "without Permit2 the token itself refuses to be taken"
    },
    {
      scenario: "pay-usdc",
      steps: [27],
      aspect: "revert",
      at: "error",
      reason: "the stand-ins for USDC say in other words that there is no balance"
    }
  ]
}
