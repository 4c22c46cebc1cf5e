/** What the sandbox does otherwise with loans and bridges. */
import { bridged } from "../Bridged.ts"
import type { Family } from "../Family.ts"

const NO_CCIP = "The sandbox has no suckers of other transports than the native bridge's."

export const loans: Family = {
  scenarios: ["loans", "loans-late", "bridge-out", "bridge-claim", "bridge-sync", "bridge-map"],
  leftOut: [
    {
      scenario: "bridge-out",
      steps: [0, 1, 2, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 57, 58, 59, 60],
      reason: NO_CCIP
    },
    { scenario: "bridge-sync", steps: [4, 8, 13, 14, 15], reason: NO_CCIP }
  ],
  otherwise: [
    {
      scenario: "bridge-map",
      steps: [4],
      aspect: "result",
      at: "",
      reason:
        "The start allows this pair of tokens, because a recorded deployment of a revnet took it; what the deployed registry rests that on is not recorded."
    },
    {
      scenario: "loans",
      steps: [5, 40],
      aspect: "result",
      at: "",
      reason: "The recordings do not tell of what revnet 1 was deployed with all that its hash covers."
    }
  ],
  prepare: bridged
}
