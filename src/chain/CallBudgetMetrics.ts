/** What operators see of the upstream calls of a minute. */
import { Metric } from "effect"
import { atScrape } from "../telemetry/AtScrape.ts"
import type { CallBudget } from "./CallBudget.ts"

const limits = Metric.gauge("service_rpc_budget_limit", {
  description: "Upstream calls of a minute, by the part that they are kept for."
})
const left = Metric.gauge("service_rpc_budget_left", {
  description: "Upstream calls that are left of this minute, by the part that they are kept for."
})

export const showCallBudget = ({ parts }: CallBudget) =>
  atScrape(() => {
    for (const { part, limit, left: unused } of parts()) {
      Metric.tagged(limits, "part", part).unsafeUpdate(limit, [])
      Metric.tagged(left, "part", part).unsafeUpdate(unused, [])
    }
  })
