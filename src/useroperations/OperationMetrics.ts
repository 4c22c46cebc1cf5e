/** What operators see of operations. */
import { Metric } from "effect"

export const operationsTotal = Metric.counter("service_operations_total", {
  description: "User operations by what became of their sending, and of them on their chains",
  incremental: true
})
