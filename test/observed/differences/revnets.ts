/** What the sandbox does otherwise with revnets. */
import type { Family, Otherwise } from "../Family.ts"

const NO_BUYBACK =
  "revnets have no buyback pools here, so that nothing is asked of their hook; the recorded answer does nothing"

const NO_POOLS = "revnets are deployed without buyback pools, which trade nothing in these scenarios"
const NO_POSTS = "there is no publisher of posts, so that none is configured and it gets no permission"

const missing = (
  scenario: string,
  steps: ReadonlyArray<number>,
  event: string,
  reason: string
): Otherwise => ({
  scenario,
  steps,
  aspect: "events",
  at: `missing ${event}`,
  reason
})

const poolless = (scenario: string, steps: ReadonlyArray<number>): ReadonlyArray<Otherwise> =>
  ["Initialize", "TwapWindowChanged", "PoolAdded"].map(event => missing(scenario, steps, event, NO_POOLS))

export const revnets: Family = {
  scenarios: ["pay-revnet", "cash-out-revnet", "revnet-deploy", "revnet-shop-usdc"],
  leftOut: [],
  otherwise: [
    ...poolless("revnet-deploy", [9, 53, 54, 55, 57]),
    ...poolless("revnet-shop-usdc", [0]),
    missing("revnet-shop-usdc", [0], "ConfigurePostingCriteria", NO_POSTS),
    missing("revnet-shop-usdc", [0], "OperatorPermissionsSet", NO_POSTS),
    {
      scenario: "revnet-deploy",
      steps: [38],
      aspect: "result",
      at: "hookSpecifications",
      reason: NO_BUYBACK
    },
    {
      scenario: "revnet-shop-usdc",
      steps: [17, 29],
      aspect: "result",
      at: "hookSpecifications",
      reason: NO_BUYBACK
    },
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
