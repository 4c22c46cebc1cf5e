/** The operators' listener of several processes: it asks each of them, and answers for all. */
import { randomUUID } from "node:crypto"
import { createServer, type Server, type ServerResponse } from "node:http"
import { Effect, FiberSet, Option } from "effect"
import type { Answer } from "../../http/Answer.ts"
import { Connections } from "../../http/Connections.ts"
import { listening } from "../../settings/Listening.ts"
import { Settings } from "../../settings/Settings.ts"
import { JoinedMetrics } from "../../telemetry/JoinedMetrics.ts"
import { askMember, type OperatorQuestion } from "./AskMember.ts"
import { joinedReadiness } from "./JoinedReadiness.ts"
import type { MemberProcess } from "./MemberProcess.ts"
import type { MemberPlace, Processes } from "./Supervisor.ts"

const CONCURRENTLY = { concurrency: "unbounded" } as const

const nobody: Answer = {
  status: 503,
  headers: { "content-type": "application/json", "retry-after": "1" },
  body: JSON.stringify({ status: "unhealthy", parts: [] })
}

const pathOf = ({ url }: OperatorQuestion): string => (url ?? "").split("?")[0] ?? ""

interface Heard {
  readonly place: MemberPlace
  readonly member: MemberProcess | undefined
  readonly answer: Option.Option<Answer>
}

const askAll = (
  places: ReadonlyArray<MemberPlace>,
  question: OperatorQuestion
): Effect.Effect<ReadonlyArray<Heard>> =>
  Effect.forEach(
    places,
    place => {
      const { member } = place
      const answer = member === undefined ? Effect.succeedNone : askMember(member, question)
      return Effect.map(answer, answer => ({ place, member, answer }))
    },
    CONCURRENTLY
  )

/** What one of them refuses, as for want of the token, all of them do. */
const refusalAmong = (heard: ReadonlyArray<Heard>): Answer | undefined =>
  heard.flatMap(({ answer }) => Option.toArray(answer)).find(({ status }) => status >= 400)

const noteAll = (metrics: JoinedMetrics, heard: ReadonlyArray<Heard>): void => {
  for (const { place, member, answer } of heard)
    if (member !== undefined && Option.isSome(answer))
      metrics.note(place.number, member, answer.value.body.toString(), place.member === member)
}

const METRICS = "/metrics"
const READINESS = "/readyz"

const metricsOfAll = (heard: ReadonlyArray<Heard>, metrics: JoinedMetrics): Answer => {
  noteAll(metrics, heard)
  const [first] = heard.flatMap(({ answer }) => Option.toArray(answer))
  return first === undefined ? nobody : { ...first, body: metrics.render() }
}

const readinessOfAll = (heard: ReadonlyArray<Heard>): Answer =>
  joinedReadiness(
    heard.map(({ place, member, answer }) => ({
      place: place.number,
      answer: member === undefined ? undefined : answer
    }))
  )

/** Of what is the same everywhere, the first one's word is everybody's. */
const answering =
  (places: ReadonlyArray<MemberPlace>, metrics: JoinedMetrics) =>
  (question: OperatorQuestion): Effect.Effect<Answer> => {
    const path = pathOf(question)
    const isOfAll = path === METRICS || path === READINESS
    const asked = isOfAll ? places : places.filter(({ member }) => member !== undefined).slice(0, 1)
    return Effect.map(askAll(asked, question), heard => {
      const refusal = refusalAmong(heard)
      if (refusal !== undefined && (path !== READINESS || refusal.status !== 503)) return refusal
      if (path === METRICS) return metricsOfAll(heard, metrics)
      if (path === READINESS) return readinessOfAll(heard)
      return Option.getOrElse(heard[0]?.answer ?? Option.none(), () => nobody)
    })
  }

const send = (method: string | undefined, response: ServerResponse, answer: Answer): void => {
  response.writeHead(answer.status, {
    "x-request-id": randomUUID(),
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(answer.body),
    ...answer.headers
  })
  response.end(method === "HEAD" ? undefined : answer.body)
}

const closed = (connections: Connections) => (server: Server) =>
  Effect.async<void>(resume => {
    server.close(() => resume(Effect.void))
    connections.end()
  })

/** So many processes, none of which is started yet, and what is told of them to operators. */
export const makeProcesses = (count: number, token: string | undefined) => {
  const metrics = new JoinedMetrics()
  const places = Array.from(
    { length: count },
    (_, index): MemberPlace => ({
      number: index + 1,
      member: undefined,
      failures: 0
    })
  )
  const headers = { host: "localhost", ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const processes: Processes = {
    places,
    ending: (place, member) =>
      Effect.map(askMember(member, { method: "GET", url: "/metrics", headers }), answer => {
        noteAll(metrics, [{ place, member, answer }])
      }),
    ended: (place, member) => metrics.end(place.number, member)
  }
  return { processes, answer: answering(places, metrics) }
}

/** Listens until the scope closes. */
export const serveOpsOfAll = (answer: (question: OperatorQuestion) => Effect.Effect<Answer>) =>
  Effect.gen(function* () {
    const { host, opsPort } = yield* Settings
    const fork = yield* FiberSet.runtime(yield* FiberSet.make())<never>()
    const server = createServer((request, response) => {
      request.resume()
      const { method, url, headers } = request
      const question = { method: method === "HEAD" ? "GET" : method, url, headers }
      const answered = Effect.orElseSucceed(Effect.sandbox(answer(question)), () => nobody)
      fork(Effect.map(answered, found => send(method, response, found)))
    })
    const connections = new Connections(server)
    yield* Effect.acquireRelease(listening(server, host, opsPort, "SERVICE_OPS_PORT"), closed(connections))
  })
