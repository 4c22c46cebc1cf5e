/** One node: calls go out as batches where it takes them, under one deadline, and come back matched to their questions. */
import { Effect, type Redacted, type Scope } from "effect"
import { type HttpAnswer, isOfWhoAsks, isSuccess } from "../upstream/JsonExchange.ts"
import { type HttpExchange, httpExchange, type TransportFailure } from "./HttpExchange.ts"
import {
  answersTo,
  BATCH_MAXIMUM,
  errorInPlace,
  isLimiting,
  type RpcAnswer,
  type RpcCall,
  type RpcQuestion,
  rpcAnswerTo,
  written
} from "./JsonRpc.ts"
import { RpcInvalidResponse, RpcUnavailable } from "./refusals.ts"

type Asked = Effect.Effect<ReadonlyArray<RpcAnswer>, TransportFailure>

export interface RpcEndpoint {
  readonly ask: (calls: ReadonlyArray<RpcCall>, deadlineSeconds: number) => Asked
}

const BATCHES_AT_ONCE = 4
const SINGLES_AT_ONCE = 16
const SINGLES_MILLIS = 600_000

const unavailable = (status: number) =>
  Effect.fail(status >= 300 && status < 400 ? new RpcInvalidResponse() : new RpcUnavailable())

/** Some nodes write a status beside an error of their own, as where they find a range too large. */
const askOne = ({ post }: HttpExchange, question: RpcQuestion, until: number): Asked =>
  Effect.flatMap(post(JSON.stringify(written(question)), until), ({ status, body }) => {
    const answer = isOfWhoAsks(status) ? undefined : rpcAnswerTo(question, body)
    if (!isSuccess(status))
      return answer?._tag === "NodeError" ? Effect.succeed([answer]) : unavailable(status)
    return answer ? Effect.succeed([answer]) : Effect.fail(new RpcInvalidResponse())
  })

type Batch = "answered" | "not taken" | "refused for now"

const judged = ({ status, body }: HttpAnswer): Batch => {
  if (status >= 400 && status < 500) return isOfWhoAsks(status) ? "refused for now" : "not taken"
  if (!isSuccess(status)) return "refused for now"
  const error = errorInPlace(body)
  if (error === undefined) return "answered"
  return isLimiting(error.code) ? "refused for now" : "not taken"
}

const makeAskMany = (exchange: HttpExchange) => {
  let singlesUntil = Number.NEGATIVE_INFINITY
  const singly = (questions: ReadonlyArray<RpcQuestion>, until: number): Asked =>
    Effect.map(
      Effect.forEach(questions, question => askOne(exchange, question, until), {
        concurrency: SINGLES_AT_ONCE
      }),
      answers => answers.flat()
    )
  const learnSingly = (questions: ReadonlyArray<RpcQuestion>, until: number) =>
    Effect.tap(singly(questions, until), answers => {
      if (answers.some(({ _tag }) => _tag === "Result")) singlesUntil = exchange.now() + SINGLES_MILLIS
    })
  return (questions: ReadonlyArray<RpcQuestion>, until: number): Asked => {
    const [only] = questions
    if (only !== undefined && questions.length === 1) return askOne(exchange, only, until)
    if (exchange.now() < singlesUntil) return singly(questions, until)
    return Effect.flatMap(exchange.post(JSON.stringify(questions.map(written)), until), answer => {
      const batch = judged(answer)
      if (batch === "not taken") return learnSingly(questions, until)
      if (batch === "refused for now") return unavailable(answer.status)
      const answers = answersTo(questions, answer.body)
      return answers ? Effect.succeed(answers) : Effect.fail(new RpcInvalidResponse())
    })
  }
}

const chunked = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / BATCH_MAXIMUM) }, (_, index) =>
    items.slice(index * BATCH_MAXIMUM, (index + 1) * BATCH_MAXIMUM)
  )

const isSend = ([only, another]: ReadonlyArray<RpcCall>): boolean =>
  only?.method === "eth_sendRawTransaction" && another === undefined

/** Sends have connections of their own: what was claimed never waits for reads that a node holds. */
export const makeEndpoint = (
  url: Redacted.Redacted<string>
): Effect.Effect<RpcEndpoint, never, Scope.Scope> =>
  Effect.zipWith(httpExchange(url), httpExchange(url), (exchange, sends) => {
    const askMany = makeAskMany(exchange)
    let lastId = 0
    const ask: RpcEndpoint["ask"] = (calls, deadlineSeconds) =>
      Effect.suspend(() => {
        const until = exchange.now() + deadlineSeconds * 1_000
        const questions = calls.map(({ method, params }): RpcQuestion => ({ id: ++lastId, method, params }))
        const [first] = questions
        if (first !== undefined && isSend(calls)) return askOne(sends, first, until)
        if (questions.length <= BATCH_MAXIMUM) return askMany(questions, until)
        const chunks = Effect.forEach(chunked(questions), chunk => askMany(chunk, until), {
          concurrency: BATCHES_AT_ONCE
        })
        return Effect.map(chunks, answers => answers.flat())
      })
    return { ask }
  })
