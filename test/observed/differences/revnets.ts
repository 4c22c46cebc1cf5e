/** What the sandbox does otherwise with revnets. */
import type { Family } from "../Family.ts"

const NO_BUYBACK =
  "revnets have no buyback pools here, so that nothing is asked of their hook; the recorded answer does nothing"

export const revnets: Family = {
  scenarios: ["pay-revnet", "cash-out-revnet"],
  leftOut: [],
  otherwise: [
    {
      scenario: "pay-revnet",
      steps: [0, 12, 24],
      aspect: "result",
      at: "",
      reason: "a configuration's hash is made of the same facts in another encoding"
    },
    {
      scenario: "pay-revnet",
      steps: [10, 22, 34],
      aspect: "result",
      at: "hookSpecifications",
      reason: NO_BUYBACK
    },
    {
      scenario: "cash-out-revnet",
      steps: [12, 20, 28],
      aspect: "result",
      at: "hookSpecifications",
      reason: NO_BUYBACK
    }
  ]
}
