/** The names of what every replica finds alike in the database. */
import { Metric } from "effect"
import { showUnknown } from "../../dispatch/FinalProofs.ts"
import type { StockFigures } from "./StockRead.ts"

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const age = gauge(
  "service_stock_age_seconds",
  "Age of the figures that all replicas find alike in the database."
)
const plans = gauge(
  "service_plans",
  "Plans that are open, which is neither expired nor watched, or pending, which is admitted and not final; 100000 are that or more."
)
const steps = gauge(
  "service_steps",
  "Steps of the pending plans, by state; of the 20000 longest pending ones."
)
const oldestPending = gauge(
  "service_oldest_pending_seconds",
  "Age of the oldest admitted plan that is not final."
)
const oldestDirect = gauge(
  "service_oldest_pending_direct_seconds",
  "Age of the oldest of those of which a wallet's own transaction left; of the 20000 longest pending ones."
)
const oldestUnknown = gauge(
  "service_oldest_unknown_step_seconds",
  "Since when the oldest plan with a step of unknown state is pending."
)
const lag = gauge(
  "service_sweep_lag_seconds",
  "For how long the row that waits longest for the worker has been due."
)
const rows = gauge("service_table_rows", "Live rows of a table by the statistics of PostgreSQL.")
const bytes = gauge("service_table_bytes", "Bytes of a table with its indexes.")

const STEP_STATES = ["planned", "submitted", "unknown", "confirming", "reorged", "confirmed", "reverted"]

/** Ages grow from the look on. */
export const showStock = (figures: StockFigures | undefined, ageSeconds: number): void => {
  age.unsafeUpdate(ageSeconds, [])
  if (figures === undefined) return
  const { now, open, pending, pendingSince } = figures.plans
  const since = (millis: number | null | undefined): number =>
    millis === null || millis === undefined ? 0 : Math.max(0, (now - millis) / 1_000 + ageSeconds)

  Metric.tagged(plans, "state", "open").unsafeUpdate(open, [])
  Metric.tagged(plans, "state", "pending").unsafeUpdate(pending, [])
  oldestPending.unsafeUpdate(since(pendingSince), [])
  const direct = figures.steps.flatMap(({ directSince }) => directSince ?? [])
  oldestDirect.unsafeUpdate(since(direct.length === 0 ? undefined : Math.min(...direct)), [])
  const byState = new Map(figures.steps.map(each => [each.state, each]))
  for (const state of STEP_STATES)
    Metric.tagged(steps, "state", state).unsafeUpdate(byState.get(state)?.count ?? 0, [])
  const unknown = byState.get("unknown")
  oldestUnknown.unsafeUpdate(since(unknown?.since), [])
  showUnknown("direct", { count: unknown?.lost ?? 0, oldestSeconds: since(unknown?.lostSince) })
  for (const [worker, at] of Object.entries(figures.due))
    Metric.tagged(lag, "worker", worker).unsafeUpdate(since(at), [])
  for (const table of figures.tables) {
    Metric.tagged(rows, "table", table.name).unsafeUpdate(table.rows, [])
    Metric.tagged(bytes, "table", table.name).unsafeUpdate(table.bytes, [])
  }
}
