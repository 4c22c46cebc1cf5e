/** The operators' listener: liveness, readiness and metrics, apart from the public one. */
import { createHash, randomUUID, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Effect, FiberSet, Metric, Redacted } from "effect"
import { AuthRequired } from "../auth/refusals.ts"
import { listening } from "../settings/Listening.ts"
import { Member } from "../settings/Member.ts"
import { Settings } from "../settings/Settings.ts"
import { showAll } from "../telemetry/AtScrape.ts"
import { showProcess } from "../telemetry/ProcessMetrics.ts"
import { renderPrometheus } from "../telemetry/Prometheus.ts"
import { ownNames } from "../values/OwnNames.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import type { Answer } from "./Answer.ts"
import { Connections } from "./Connections.ts"
import { showInWork } from "./ops/InWorkMetrics.ts"
import { makeReadiness } from "./ops/Readiness.ts"
import { showReadiness } from "./ops/ReadinessMetrics.ts"
import { makeStock } from "./ops/Stock.ts"
import { problemAnswer, refusalOf } from "./Problems.ts"
import { InvalidRequestTarget } from "./RequestTarget.ts"
import { EndpointNotFound, MethodNotAllowed } from "./refusals.ts"

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
const METHODS = ["GET", "HEAD"]

type Look = Effect.Effect<Answer, AnyRefusal>

const json = (status: number, value: unknown): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value)
})

const foreignName = new InvalidRequestTarget({
  detail:
    "The Host header must be an IP address, localhost, or a name from SERVICE_HOST or SERVICE_OPS_NAMES."
})

const digest = (text: string) => createHash("sha256").update(text).digest()

const authorised = (request: IncomingMessage, token: Redacted.Redacted<string> | undefined) =>
  token === undefined ||
  timingSafeEqual(digest(request.headers.authorization ?? ""), digest(`Bearer ${Redacted.value(token)}`))
    ? Effect.void
    : Effect.fail(new AuthRequired({ context: { missing: ["Authorization"] } }))

const places = Effect.gen(function* () {
  const { metricsToken } = yield* Settings
  const readiness = yield* makeReadiness
  const stock = yield* makeStock
  yield* showInWork
  yield* showProcess
  const looks = Effect.all([Effect.map(readiness, showReadiness), stock], { concurrency: "unbounded" })
  const metrics = Effect.map(
    Effect.zipRight(Effect.zipRight(looks, showAll), Metric.snapshot),
    (pairs): Answer => ({
      status: 200,
      headers: { "content-type": METRICS_TYPE },
      body: renderPrometheus(pairs)
    })
  )
  return new Map<string, (request: IncomingMessage) => Look>([
    ["/healthz", () => Effect.succeed(json(200, { status: "healthy" }))],
    ["/readyz", () => Effect.map(readiness, found => json(found.status === "unhealthy" ? 503 : 200, found))],
    ["/metrics", request => Effect.zipRight(authorised(request, metricsToken), metrics)]
  ])
})

const send = (request: IncomingMessage, response: ServerResponse, requestId: string, answer: Answer) => {
  response.writeHead(answer.status, {
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(answer.body),
    ...(answer.status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...answer.headers
  })
  response.end(request.method === "HEAD" ? undefined : answer.body)
}

const closed = (connections: Connections) => (server: Server) =>
  Effect.async<void>(resume => {
    server.close(() => resume(Effect.void))
    connections.end()
  })

/** One of several processes listens for its supervisor alone, which answers for them all. */
const listeningAlone = (server: Server) =>
  Effect.gen(function* () {
    const { host, opsPort } = yield* Settings
    const member = yield* Member
    if (member === undefined) return yield* listening(server, host, opsPort, "SERVICE_OPS_PORT")
    yield* listening(server, "127.0.0.1", 0, "SERVICE_OPS_PORT", true)
    const address = server.address()
    if (typeof address === "object" && address !== null) member.opsAt(address.port)
    return server
  })

/** Listens until the scope closes. */
export const serveOps = Effect.gen(function* () {
  const { audience, host, opsNames } = yield* Settings
  const isOwnName = ownNames([host, ...opsNames])
  const known = yield* places
  const fork = yield* FiberSet.runtime(yield* FiberSet.make())<never>()

  const lookAt = (request: IncomingMessage): Look => {
    if (!isOwnName(request.headers.host)) return Effect.fail(foreignName)
    const place = known.get((request.url ?? "").split("?")[0] ?? "")
    if (place === undefined) return Effect.fail(new EndpointNotFound())
    return METHODS.includes(request.method ?? "")
      ? place(request)
      : Effect.fail(new MethodNotAllowed({ context: { allow: METHODS } }))
  }

  const answer = (request: IncomingMessage, requestId: string) =>
    lookAt(request).pipe(
      Effect.sandbox,
      Effect.catchAll(cause =>
        Effect.map(refusalOf(cause), refusal => problemAnswer(refusal, { audience, requestId }))
      ),
      Effect.withTracerEnabled(false)
    )

  const server = createServer((request, response) => {
    const requestId = randomUUID()
    request.resume()
    fork(Effect.map(answer(request, requestId), found => send(request, response, requestId, found)))
  })
  const connections = new Connections(server)
  return yield* Effect.acquireRelease(listeningAlone(server), closed(connections))
})
