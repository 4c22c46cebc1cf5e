/** The operators' listener: what is refused is refused before anything is looked at, and nobody holds a connection for ever or keeps others out. */
import { createHash, randomUUID, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Effect, FiberSet, Redacted, type Scope } from "effect"
import { AuthRequired } from "../../auth/refusals.ts"
import { Settings, type SettingsShape } from "../../settings/Settings.ts"
import type { StartFailure } from "../../settings/StartFailure.ts"
import { ownNames } from "../../values/OwnNames.ts"
import type { AnyRefusal } from "../../values/Refusal.ts"
import type { Answer } from "../Answer.ts"
import { Connections, Pipelined } from "../Connections.ts"
import { problemAnswer, refusalOf } from "../Problems.ts"
import { InvalidRequestTarget } from "../RequestTarget.ts"
import { EndpointNotFound, MethodNotAllowed } from "../refusals.ts"

export const METRICS_PATH = "/metrics"
export const READINESS_PATH = "/readyz"
export const LIVENESS_PATH = "/healthz"

export type OpsPath = typeof METRICS_PATH | typeof READINESS_PATH | typeof LIVENESS_PATH

const METHODS = ["GET", "HEAD"]
const MOST_CONNECTIONS = 256
/** No question has a body, so it is complete with its headers. */
const QUESTION_DEADLINE_MS = 10_000
/** Longer than scrapes are apart. */
const KEEP_ALIVE_MS = 65_000
/** Of a client that takes nothing of its answer. */
const READING_DEADLINE_MS = 120_000

const listenerOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: QUESTION_DEADLINE_MS,
  requestTimeout: QUESTION_DEADLINE_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false
}

const foreignName = new InvalidRequestTarget({
  detail:
    "The Host header must be an IP address, localhost, or a name from SERVICE_HOST or SERVICE_OPS_NAMES."
})

const digest = (text: string) => createHash("sha256").update(text).digest()

const isAuthorised = ({ headers }: IncomingMessage, token: Redacted.Redacted<string> | undefined): boolean =>
  token === undefined ||
  timingSafeEqual(digest(headers.authorization ?? ""), digest(`Bearer ${Redacted.value(token)}`))

const PATHS: ReadonlyArray<OpsPath> = [METRICS_PATH, READINESS_PATH, LIVENESS_PATH]

/** What is asked for, or why it is not looked at. */
const admission = ({ host, opsNames, metricsToken }: SettingsShape) => {
  const isOwnName = ownNames([host, ...opsNames])
  return (request: IncomingMessage): Effect.Effect<OpsPath, AnyRefusal> => {
    if (!isOwnName(request.headers.host)) return Effect.fail(foreignName)
    const asked = (request.url ?? "").split("?")[0]
    const path = PATHS.find(each => each === asked)
    if (path === undefined) return Effect.fail(new EndpointNotFound())
    if (!METHODS.includes(request.method ?? ""))
      return Effect.fail(new MethodNotAllowed({ context: { allow: METHODS } }))
    return path === METRICS_PATH && !isAuthorised(request, metricsToken)
      ? Effect.fail(new AuthRequired({ context: { missing: ["Authorization"] } }))
      : Effect.succeed(path)
  }
}

const send = (request: IncomingMessage, response: ServerResponse, requestId: string, answer: Answer) => {
  response.writeHead(answer.status, {
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(answer.body),
    ...answer.headers,
    ...(answer.status === 401 ? { "www-authenticate": "Bearer" } : {})
  })
  response.end(request.method === "HEAD" ? undefined : answer.body)
}

const closed = (connections: Connections) => (server: Server) =>
  Effect.async<void>(resume => {
    server.close(() => resume(Effect.void))
    connections.end()
  })

/** Answers until the scope closes. */
export const serveOperators = (
  answer: (path: OpsPath) => Effect.Effect<Answer, AnyRefusal>,
  listen: (server: Server) => Effect.Effect<Server, StartFailure>
): Effect.Effect<Server, StartFailure, Settings | Scope.Scope> =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const { audience } = settings
    const admitted = admission(settings)
    const fork = yield* FiberSet.runtime(yield* FiberSet.make())<never>()
    const pipelined = new Pipelined()

    const answered = (request: IncomingMessage, requestId: string) =>
      Effect.flatMap(admitted(request), answer).pipe(
        Effect.sandbox,
        Effect.catchAll(cause =>
          Effect.map(refusalOf(cause), refusal => problemAnswer(refusal, { audience, requestId }))
        ),
        Effect.withTracerEnabled(false)
      )

    const server = createServer(listenerOptions, (request, response) => {
      const { socket } = request
      if (!pipelined.takes(socket, response)) return void socket.destroy()
      const requestId = randomUUID()
      request.resume()
      fork(Effect.map(answered(request, requestId), found => send(request, response, requestId, found)))
    })
    server.timeout = READING_DEADLINE_MS
    const connections = new Connections(server, MOST_CONNECTIONS, pipelined.isAwaited)
    return yield* Effect.acquireRelease(listen(server), closed(connections))
  })
