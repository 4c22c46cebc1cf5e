/** Questions to a bundler or a paymaster's service: JSON-RPC, each question once, and of errors nothing but their codes and their data. */
import { Effect, Option, Schema } from "effect"
import {
  type ExchangeFault,
  type HttpAnswer,
  isOfWhoAsks,
  isSuccess,
  jsonExchange
} from "../upstream/JsonExchange.ts"
import { makeDeadlines } from "../values/Deadlines.ts"
import type { Hex } from "../values/Scalars.ts"
import { CarrierBytes } from "./CarrierForms.ts"

const MAXIMUM_ANSWER_BYTES = 1_048_576

/** What was answered in the place of a result. */
export interface RpcRefusal {
  readonly _tag: "Refused"
  readonly code: number
  /** Of ERC-4337, such as AA25, where one is named. */
  readonly reason: string | undefined
  /** What a call reverted with, where that is told. */
  readonly revert: Hex | undefined
}

export type ExchangeAnswer = { readonly _tag: "Answered"; readonly result: unknown } | RpcRefusal

export type RpcFault = ExchangeFault

export interface ExchangeQuestion {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  /** Whether it may leave only once. */
  readonly isSending?: boolean
}

export type RpcExchange = (
  question: ExchangeQuestion,
  deadlineMillis: number
) => Effect.Effect<ExchangeAnswer, RpcFault>

const Envelope = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.Number,
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(
    Schema.NullOr(
      Schema.Struct({
        code: Schema.Int,
        message: Schema.optional(Schema.Unknown),
        data: Schema.optional(Schema.Unknown)
      })
    )
  )
})

const decodeEnvelope = Schema.decodeUnknownOption(Envelope)
const decodeBytes = Schema.decodeUnknownOption(CarrierBytes)
const isText = Schema.is(Schema.String)

const REASON = /\bAA\d\d\b/

const refusal = ({ code, message, data }: NonNullable<(typeof Envelope.Type)["error"]>): RpcRefusal => ({
  _tag: "Refused",
  code,
  reason: isText(message) ? REASON.exec(message.slice(0, 512))?.[0] : undefined,
  revert: Option.getOrUndefined(Option.orElse(decodeBytes(data), () => decodeBytes(Object(data).revertData)))
})

/** An answer to another question, or one that is both or neither, cannot be read; null in the place of the one that is not there says nothing. */
const answerTo = (id: number, body: unknown): Effect.Effect<ExchangeAnswer, RpcFault> => {
  const envelope = Option.getOrUndefined(decodeEnvelope(body))
  if (envelope === undefined || envelope.id !== id) return Effect.fail("unreadable")
  const { error, result } = envelope
  if (error) return (result ?? null) === null ? Effect.succeed(refusal(error)) : Effect.fail("unreadable")
  return result === undefined ? Effect.fail("unreadable") : Effect.succeed({ _tag: "Answered", result })
}

/** Some write a status beside an error of their own; a result beside one is not believed. */
const answerUnder = (id: number, { status, body }: HttpAnswer): Effect.Effect<ExchangeAnswer, RpcFault> => {
  if (isSuccess(status)) return answerTo(id, body)
  if (isOfWhoAsks(status)) return Effect.fail("unreachable")
  return answerTo(id, body).pipe(
    Effect.filterOrFail(({ _tag }) => _tag === "Refused"),
    Effect.mapError(() => "unreachable" as const)
  )
}

export const rpcExchange = Effect.fnUntraced(function* (url: URL) {
  const { post, postAlone } = yield* jsonExchange({
    url,
    maximumBytes: MAXIMUM_ANSWER_BYTES,
    readsRefusals: true
  })
  const { now, watch } = yield* makeDeadlines
  let asked = 0
  const exchange: RpcExchange = ({ method, params, isSending = false }, deadlineMillis) =>
    Effect.suspend(() => {
      asked += 1
      const id = asked
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params })
      const leave = isSending ? postAlone : post
      return Effect.flatMap(
        leave(body, expire => watch(now() + deadlineMillis, expire)),
        answer => answerUnder(id, answer)
      )
    })
  return exchange
})
