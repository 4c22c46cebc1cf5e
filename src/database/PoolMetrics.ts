/** How the pool's connections are taken, noted whenever one comes or goes. */
import { Metric } from "effect"
import type pg from "pg"

const connections = Metric.gauge("service_database_connections", {
  description: "Connections of the pool, by what they do."
})
const waiting = Metric.gauge("service_database_waiting", {
  description: "Callers that waited for a connection when one last came or went."
})

const inUse = Metric.tagged(connections, "state", "used")
const idle = Metric.tagged(connections, "state", "idle")

export const observePool = (pool: pg.Pool): void => {
  const note = () => {
    inUse.unsafeUpdate(pool.totalCount - pool.idleCount, [])
    idle.unsafeUpdate(pool.idleCount, [])
    waiting.unsafeUpdate(pool.waitingCount, [])
  }
  for (const event of ["acquire", "release", "remove"] as const) pool.on(event, note)
}
