/** The operators' listener of several processes: it asks each of them, and answers for all. */
import { Effect, Option } from "effect"
import type { Answer } from "../../http/Answer.ts"
import { METRICS_PATH, type OpsPath, READINESS_PATH, serveOperators } from "../../http/ops/OpsListener.ts"
import { listening } from "../../settings/Listening.ts"
import { Settings } from "../../settings/Settings.ts"
import { JoinedMetrics } from "../../telemetry/JoinedMetrics.ts"
import { sharedFor } from "../../values/SteadyClock.ts"
import { askMember } from "./AskMember.ts"
import { joinedReadiness } from "./JoinedReadiness.ts"
import type { MemberProcess } from "./MemberProcess.ts"
import { placeMetrics } from "./PlaceMetrics.ts"
import type { MemberPlace, Processes } from "./Supervisor.ts"

const CONCURRENTLY = { concurrency: "unbounded" } as const
/** Many who ask at once share one look. */
const LOOK_LASTS = "1 second"

const nobody: Answer = {
  status: 503,
  headers: { "content-type": "application/json", "retry-after": "1" },
  body: JSON.stringify({ status: "unhealthy", parts: [] })
}

interface Heard {
  readonly place: MemberPlace
  readonly member: MemberProcess | undefined
  readonly answer: Option.Option<Answer>
}

type Ask = (member: MemberProcess, path: OpsPath) => Effect.Effect<Option.Option<Answer>>

const askAll = (
  places: ReadonlyArray<MemberPlace>,
  path: OpsPath,
  ask: Ask
): Effect.Effect<ReadonlyArray<Heard>> =>
  Effect.forEach(
    places,
    place => {
      const { member } = place
      const answer = member === undefined ? Effect.succeedNone : ask(member, path)
      return Effect.map(answer, answer => ({ place, member, answer }))
    },
    CONCURRENTLY
  )

const isGiven = ({ status }: Answer): boolean => status === 200

interface Told {
  readonly place: MemberPlace
  readonly answer: Answer
}

/** Who fails to tell is as if it were silent. */
const noteAll = (metrics: JoinedMetrics, heard: ReadonlyArray<Heard>): ReadonlyArray<Told> =>
  heard.flatMap(({ place, member, answer }) => {
    const given = Option.filter(answer, isGiven)
    if (member === undefined || Option.isNone(given)) return []
    metrics.note(place.number, member, given.value.body.toString(), place.member === member)
    return [{ place, answer: given.value }]
  })

const metricsOfAll = (heard: ReadonlyArray<Heard>, metrics: JoinedMetrics): Answer => {
  const told = noteAll(metrics, heard)
  const [first] = told
  if (first === undefined) return nobody
  const numbers = new Set(told.map(({ place }) => place.number))
  const places = heard.map(({ place }) => place)
  return { ...first.answer, body: metrics.render(numbers) + placeMetrics(places, numbers) }
}

const readinessOfAll = (heard: ReadonlyArray<Heard>): Answer =>
  joinedReadiness(
    heard.map(({ place, member, answer }) => ({
      place: place.number,
      answer: member === undefined ? undefined : answer
    }))
  )

/** Of what is the same everywhere, the word of who answers first is everybody's. */
const firstOf = (members: ReadonlyArray<MemberProcess>, path: OpsPath, ask: Ask): Effect.Effect<Answer> =>
  members.length === 0
    ? Effect.succeed(nobody)
    : Effect.raceAll(members.map(member => Effect.flatten(ask(member, path)))).pipe(
        Effect.orElseSucceed(() => nobody)
      )

const answering =
  (places: ReadonlyArray<MemberPlace>, metrics: JoinedMetrics, ask: Ask) =>
  (path: OpsPath): Effect.Effect<Answer> => {
    if (path === METRICS_PATH)
      return Effect.map(askAll(places, path, ask), heard => metricsOfAll(heard, metrics))
    if (path === READINESS_PATH) return Effect.map(askAll(places, path, ask), readinessOfAll)
    return firstOf(
      places.flatMap(({ member }) => member ?? []),
      path,
      ask
    )
  }

/** So many processes, none of which is started yet, and what is told of them to operators. */
export const makeProcesses = (count: number, token: string | undefined) => {
  const metrics = new JoinedMetrics()
  const places = Array.from(
    { length: count },
    (_, index): MemberPlace => ({
      number: index + 1,
      member: undefined,
      failures: 0,
      ended: 0
    })
  )
  const headers = { host: "localhost", ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const ask: Ask = (member, path) => askMember(member, path, headers)
  const processes: Processes = {
    places,
    ending: (place, member) =>
      Effect.map(ask(member, METRICS_PATH), answer => {
        noteAll(metrics, [{ place, member, answer }])
      }),
    ended: (place, member) => metrics.end(place.number, member)
  }
  return { processes, answer: answering(places, metrics, ask) }
}

/** Listens until the scope closes. */
export const serveOpsOfAll = (answer: (path: OpsPath) => Effect.Effect<Answer>) =>
  Effect.gen(function* () {
    const { host, opsPort } = yield* Settings
    const readiness = yield* sharedFor(answer(READINESS_PATH), LOOK_LASTS)
    return yield* serveOperators(
      path => (path === READINESS_PATH ? readiness : answer(path)),
      server => listening(server, host, opsPort, "SERVICE_OPS_PORT")
    )
  })
