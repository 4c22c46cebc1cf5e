/** How many signed requests the process works on, and how many it may. */
import { Effect, Metric } from "effect"
import { Settings } from "../../settings/Settings.ts"
import { atScrape } from "../../telemetry/AtScrape.ts"
import { InWork } from "../InWork.ts"

const inWork = Metric.gauge("service_in_work", {
  description: "Signed requests that the process works on."
})
const limit = Metric.gauge("service_in_work_limit", {
  description: "Signed requests that the process works on at most."
})

export const showInWork = Effect.flatMap(Effect.all([InWork, Settings]), ([{ count }, { maximumInWork }]) =>
  atScrape(() => {
    inWork.unsafeUpdate(Effect.runSync(count), [])
    limit.unsafeUpdate(maximumInWork, [])
  })
)
