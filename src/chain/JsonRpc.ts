/** JSON-RPC 2.0 envelopes: what is written, and how answers are matched to their questions by id. */
import { Either, Schema } from "effect"
import { decoder } from "../values/Conforms.ts"
import type { NodeError } from "./ChainClient.ts"

export interface RpcCall {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

export type RpcAnswer =
  | { readonly _tag: "Result"; readonly result: unknown }
  | ({ readonly _tag: "NodeError" } & NodeError)

export interface RpcQuestion extends RpcCall {
  readonly id: number
}

/** Calls that travel together. */
export const BATCH_MAXIMUM = 100

export const written = ({ id, method, params }: RpcQuestion) => ({ jsonrpc: "2.0", id, method, params })

/**
 * EIP-1474 "limit exceeded", the HTTP status that some nodes write in its place, QuickNode's own, and proxyd's: no backend,
 * over capacity, over a rate, unhealthy. Its -32015 is not among them, by which Nethermind says that a call failed.
 */
const LIMITING_CODES = [-32_005, 429, -32_007, -32_011, -32_012, -32_016, -32_017, -32_018]

/** An error that speaks of who asks and of the moment, and of nothing that was asked. */
export const isLimiting = (code: number): boolean => LIMITING_CODES.includes(code)

const Envelope = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.Union(Schema.Int, Schema.Null),
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(
    Schema.NullOr(
      Schema.Struct({ code: Schema.Int, message: Schema.String, data: Schema.optional(Schema.Unknown) })
    )
  )
})
type Envelope = typeof Envelope.Type

const decodeEnvelope = decoder(Envelope)
const decodeEnvelopes = decoder(Schema.Array(Envelope))

const answerOf = (envelope: Envelope): RpcAnswer | undefined => {
  const { error, result } = envelope
  if (error && (result === undefined || result === null))
    return { _tag: "NodeError", code: error.code, data: error.data }
  return !error && "result" in envelope ? { _tag: "Result", result } : undefined
}

/** Undefined where the body is not the one answer to this question. */
export const rpcAnswerTo = (question: RpcQuestion, body: unknown): RpcAnswer | undefined => {
  const envelope = Either.getOrUndefined(decodeEnvelope(body))
  return envelope?.id === question.id ? answerOf(envelope) : undefined
}

/** Undefined where the body is not exactly one answer to each question, in any order. */
export const answersTo = (
  questions: ReadonlyArray<RpcQuestion>,
  body: unknown
): ReadonlyArray<RpcAnswer> | undefined => {
  const envelopes = Either.getOrElse(decodeEnvelopes(body), () => [])
  const byId = new Map(envelopes.map(envelope => [envelope.id, envelope]))
  if (envelopes.length !== questions.length || byId.size !== questions.length) return undefined
  const answers = questions.flatMap(({ id }) => {
    const envelope = byId.get(id)
    return (envelope && answerOf(envelope)) ?? []
  })
  return answers.length === questions.length ? answers : undefined
}

/** One error in place of the answers to a batch, alone or in an array; its code says whether the node takes no such batch or refuses for now. */
export const errorInPlace = (body: unknown): NodeError | undefined => {
  const only: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body
  const envelope = Either.getOrUndefined(decodeEnvelope(only))
  const answer = envelope && answerOf(envelope)
  return answer?._tag === "NodeError" ? answer : undefined
}
