/** What one process answers its operators: liveness, readiness and metrics. */
import type { Server } from "node:http"
import { Effect, Metric } from "effect"
import { listening } from "../settings/Listening.ts"
import { Member } from "../settings/Member.ts"
import { Settings } from "../settings/Settings.ts"
import { showAll } from "../telemetry/AtScrape.ts"
import { showProcess } from "../telemetry/ProcessMetrics.ts"
import { renderPrometheus } from "../telemetry/Prometheus.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import type { Answer } from "./Answer.ts"
import { showInWork } from "./ops/InWorkMetrics.ts"
import {
  LIVENESS_PATH,
  METRICS_PATH,
  type OpsPath,
  READINESS_PATH,
  serveOperators
} from "./ops/OpsListener.ts"
import { makeReadiness } from "./ops/Readiness.ts"
import { showReadiness } from "./ops/ReadinessMetrics.ts"
import { makeStock } from "./ops/Stock.ts"

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

const json = (status: number, value: unknown): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value)
})

const looks = Effect.gen(function* () {
  const readiness = yield* makeReadiness
  const stock = yield* makeStock
  yield* showInWork
  yield* showProcess
  const looked = Effect.all([Effect.map(readiness, showReadiness), stock], { concurrency: "unbounded" })
  const metrics = Effect.map(
    Effect.zipRight(Effect.zipRight(looked, showAll), Metric.snapshot),
    (pairs): Answer => ({
      status: 200,
      headers: { "content-type": METRICS_TYPE },
      body: renderPrometheus(pairs)
    })
  )
  return {
    [LIVENESS_PATH]: Effect.succeed(json(200, { status: "healthy" })),
    [READINESS_PATH]: Effect.map(readiness, found => json(found.status === "unhealthy" ? 503 : 200, found)),
    [METRICS_PATH]: metrics
  } satisfies Record<OpsPath, Effect.Effect<Answer, AnyRefusal>>
})

/** One of several processes listens for its supervisor alone, which answers for them all. */
const listeningAlone = Effect.gen(function* () {
  const { host, opsPort } = yield* Settings
  const member = yield* Member
  return (server: Server) => {
    if (member === undefined) return listening(server, host, opsPort, "SERVICE_OPS_PORT")
    return Effect.tap(listening(server, "127.0.0.1", 0, "SERVICE_OPS_PORT", true), () => {
      const address = server.address()
      if (typeof address === "object" && address !== null) member.opsAt(address.port)
    })
  }
})

/** Listens until the scope closes. */
export const serveOps = Effect.gen(function* () {
  const known = yield* looks
  return yield* serveOperators(path => known[path], yield* listeningAlone)
})
