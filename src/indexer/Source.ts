/** Asks the configured source of a network, and refuses an answer that has anything wrong in it. */
import { Clock, Effect, Predicate } from "effect"
import type { SourceQuestion } from "./Document.ts"
import { LIMITS } from "./Limits.ts"
import { GraphqlError, InvalidResponse, QuestionRefused, SourceAnswerTooLarge } from "./refusals.ts"
import type { IndexTransport, TransportRefusal } from "./Transport.ts"

export interface SourceAnswer {
  readonly data: object
  /** Unix milliseconds. */
  readonly observedAt: number
}

export type AskRefusal = TransportRefusal | GraphqlError

/** It may be about the one question, whatever else the source takes. */
export const isOfQuestionAlone = (refusal: AskRefusal): boolean =>
  refusal._tag === "INDEXER_GRAPHQL_ERROR" ||
  (refusal._tag === "INDEXER_UPSTREAM_HTTP_ERROR" && refusal.retryable === false)

export type Ask = (question: SourceQuestion) => Effect.Effect<SourceAnswer, AskRefusal>

const isError = (value: unknown): boolean =>
  Predicate.isRecord(value) && "message" in value && typeof value.message === "string"

/** What fails inside the source is masked by this code; everything else is about the question. */
const isInside = ({ extensions }: { readonly extensions?: unknown }): boolean =>
  Predicate.isRecord(extensions) && "code" in extensions && extensions.code === "INTERNAL_SERVER_ERROR"

const questionRefused = new QuestionRefused({
  detail: "The source did not take the query; what it serves is being looked at again.",
  retryable: true
})

/** One error makes all of the answer useless, whatever data stands beside it. */
const dataOf = (envelope: unknown): Effect.Effect<object, GraphqlError | InvalidResponse> => {
  if (!Predicate.isRecord(envelope)) return new InvalidResponse()
  if ("errors" in envelope && envelope.errors !== undefined) {
    const { errors } = envelope
    if (!Array.isArray(errors) || !errors.every(isError)) return new InvalidResponse()
    if (errors.length > 0) return errors.every(isInside) ? new GraphqlError() : questionRefused
  }
  return "data" in envelope && Predicate.isRecord(envelope.data)
    ? Effect.succeed(envelope.data)
    : new InvalidResponse()
}

export const asking =
  ({ post }: IndexTransport): Ask =>
  question =>
    Effect.zipWith(
      Effect.flatMap(post(JSON.stringify(question)), dataOf),
      Clock.currentTimeMillis,
      (data, observedAt) => ({ data, observedAt })
    )

/** What is answered is bounded as well as what was received. */
export const bounded = <A>(
  value: A,
  most: number = LIMITS.maxResponseBytes
): Effect.Effect<A, SourceAnswerTooLarge> =>
  Buffer.byteLength(JSON.stringify(value)) > most ? new SourceAnswerTooLarge() : Effect.succeed(value)
