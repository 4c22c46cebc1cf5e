/** What the sandbox does otherwise with loans and bridges. */
import { bridged } from "../Bridged.ts"
import type { Family } from "../Family.ts"

export const loans: Family = {
  scenarios: ["loans", "loans-late", "bridge-out", "bridge-claim", "bridge-sync", "bridge-map"],
  leftOut: [],
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
