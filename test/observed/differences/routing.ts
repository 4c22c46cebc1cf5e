/** What the sandbox does otherwise with pools, hooks and routers. */
import type { Family, Otherwise } from "../Family.ts"

/** The steps of `buyback-swap` that trade in the pool. */
const TRADES = [15, 19, 29, 31, 32, 36, 39]

const untold = (event: string): Otherwise => ({
  scenario: "buyback-swap",
  steps: TRADES,
  aspect: "events",
  at: `missing ${event}`,
  reason: "The oracle of the sandbox's pools knows one pool alone and tells of no choice among routes."
})

export const routing: Family = {
  scenarios: ["buyback-hook", "buyback-pool", "buyback-swap", "router-terminal"],
  leftOut: [],
  otherwise: [untold("BestRouteSelected"), untold("RouteSelected")]
}
