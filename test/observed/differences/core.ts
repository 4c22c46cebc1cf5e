/** What the sandbox does otherwise with projects, rulesets, payments and tokens: nothing. */
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
  leftOut: [],
  otherwise: []
}
