/** What the sandbox does otherwise with pools, hooks and routers. */
import type { Family } from "../Family.ts"

export const routing: Family = {
  scenarios: ["buyback-hook", "buyback-pool", "buyback-swap", "router-terminal"],
  leftOut: [],
  otherwise: []
}
