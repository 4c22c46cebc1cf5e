/** What the sandbox does otherwise with loans and bridges. */
import type { Family } from "../Family.ts"

export const loans: Family = {
  scenarios: ["loans", "loans-late", "bridge-out", "bridge-claim", "bridge-sync", "bridge-map"],
  leftOut: [],
  otherwise: []
}
