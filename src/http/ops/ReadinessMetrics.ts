/** The answer of /readyz as metrics. */
import { Metric } from "effect"
import { READY_METRIC } from "../../telemetry/JoinedMetrics.ts"
import { PART_STATES, type Readiness } from "./Readiness.ts"

const ready = Metric.gauge(READY_METRIC, { description: "1 where /readyz answers 200, else 0." })
const partState = Metric.gauge("service_part_state", {
  description: "1 for the state that a part of /readyz is in, 0 for the others, by part and state."
})

export const showReadiness = ({ status, parts }: Readiness): void => {
  ready.unsafeUpdate(status === "unhealthy" ? 0 : 1, [])
  for (const { name, state } of parts)
    for (const each of PART_STATES)
      partState
        .pipe(Metric.tagged("part", name), Metric.tagged("state", each))
        .unsafeUpdate(each === state ? 1 : 0, [])
}
