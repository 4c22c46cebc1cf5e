/** One node: calls go out as batches where it takes them, under one deadline, and come back matched to their questions. */
import { Clock, Effect, type Redacted, Ref, type Scope } from "effect"
import { type Exchange, type HttpAnswer, httpExchange } from "./HttpExchange.ts"
import {
  type Answer,
  answersTo,
  answerTo,
  type Call,
  errorInPlace,
  type Question,
  written
} from "./JsonRpc.ts"
import { RpcInvalidResponse, RpcTimeout, RpcUnavailable } from "./refusals.ts"

export type TransportFailure = RpcUnavailable | RpcInvalidResponse | RpcTimeout

export interface Endpoint {
  readonly ask: (
    calls: ReadonlyArray<Call>,
    deadlineSeconds: number
  ) => Effect.Effect<ReadonlyArray<Answer>, TransportFailure>
}

const BATCH_MAXIMUM = 100
const BATCHES_AT_ONCE = 4
const SINGLES_AT_ONCE = 16
const SINGLES_MILLIS = 600_000

/** Statuses that speak of the caller or the moment rather than of the batch. */
const UNRELATED_STATUSES = [401, 403, 408, 429]

const unavailable = (status: number) =>
  status >= 300 && status < 400 ? new RpcInvalidResponse() : new RpcUnavailable()

const askOne =
  (exchange: Exchange) =>
  (question: Question): Effect.Effect<Answer, RpcUnavailable | RpcInvalidResponse> =>
    Effect.flatMap(exchange(JSON.stringify(written(question))), ({ status, body }) => {
      if (status < 200 || status >= 300) return Effect.fail(unavailable(status))
      const answer = answerTo(question, body)
      return answer ? Effect.succeed(answer) : Effect.fail(new RpcInvalidResponse())
    })

/** EIP-1474 "limit exceeded", and the HTTP status that some nodes write in its place. */
const LIMITING_CODES = [-32_005, 429]

type Batch = "answered" | "not taken" | "refused for now"

const judged = ({ status, body }: HttpAnswer): Batch => {
  if (status >= 400 && status < 500)
    return UNRELATED_STATUSES.includes(status) ? "refused for now" : "not taken"
  if (status < 200 || status >= 300) return "refused for now"
  const error = errorInPlace(body)
  if (error === undefined) return "answered"
  return LIMITING_CODES.includes(error.code) ? "refused for now" : "not taken"
}

const makeAskMany = (exchange: Exchange, singlesUntil: Ref.Ref<number>) => {
  const singly = (questions: ReadonlyArray<Question>) =>
    Effect.forEach(questions, askOne(exchange), { concurrency: SINGLES_AT_ONCE })
  const learnSingly = (questions: ReadonlyArray<Question>, now: number) =>
    Effect.tap(singly(questions), Ref.set(singlesUntil, now + SINGLES_MILLIS))
  return Effect.fnUntraced(function* (questions: ReadonlyArray<Question>) {
    const now = yield* Clock.currentTimeMillis
    if (questions.length === 1 || now < (yield* Ref.get(singlesUntil))) return yield* singly(questions)
    const answer = yield* exchange(JSON.stringify(questions.map(written)))
    const batch = judged(answer)
    if (batch === "not taken") return yield* learnSingly(questions, now)
    if (batch === "refused for now") return yield* unavailable(answer.status)
    const answers = answersTo(questions, answer.body)
    return answers ?? (yield* new RpcInvalidResponse())
  })
}

const chunked = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / BATCH_MAXIMUM) }, (_, index) =>
    items.slice(index * BATCH_MAXIMUM, (index + 1) * BATCH_MAXIMUM)
  )

export const makeEndpoint = (url: Redacted.Redacted<string>): Effect.Effect<Endpoint, never, Scope.Scope> =>
  Effect.gen(function* () {
    const exchange = yield* httpExchange(url)
    const askMany = makeAskMany(exchange, yield* Ref.make(0))
    const lastId = yield* Ref.make(0)
    const numbered = (calls: ReadonlyArray<Call>) =>
      Ref.modify(lastId, last => [
        calls.map((call, index): Question => ({ ...call, id: last + 1 + index })),
        last + calls.length
      ])
    const ask: Endpoint["ask"] = (calls, deadlineSeconds) =>
      numbered(calls).pipe(
        Effect.flatMap(questions =>
          Effect.forEach(chunked(questions), askMany, { concurrency: BATCHES_AT_ONCE })
        ),
        Effect.map(answers => answers.flat()),
        Effect.timeoutFail({ duration: `${deadlineSeconds} seconds`, onTimeout: () => new RpcTimeout() })
      )
    return { ask }
  })
