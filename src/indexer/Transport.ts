/** One question to a source, which is answered with JSON under a 2xx status or not at all. */
import { Effect, Redacted, type Scope } from "effect"
import { type ExchangeFault, type HttpAnswer, isSuccess, jsonExchange } from "../upstream/JsonExchange.ts"
import { LIMITS } from "./Limits.ts"
import { InvalidResponse, SourceAnswerTooLarge, Timeout, Unavailable, UpstreamHttpError } from "./refusals.ts"

export type TransportRefusal =
  | InvalidResponse
  | SourceAnswerTooLarge
  | Timeout
  | Unavailable
  | UpstreamHttpError

export interface IndexTransport {
  readonly post: (body: string) => Effect.Effect<unknown, TransportRefusal>
}

const REFUSALS: Readonly<Record<ExchangeFault, () => TransportRefusal>> = {
  unreachable: () => new Unavailable(),
  late: () => new Timeout(),
  oversized: () => new SourceAnswerTooLarge(),
  unreadable: () => new InvalidResponse()
}

const bodyOf = ({ status, body }: HttpAnswer): Effect.Effect<unknown, UpstreamHttpError> =>
  isSuccess(status)
    ? Effect.succeed(body)
    : new UpstreamHttpError({ context: { status }, retryable: status === 429 || status >= 500 })

export const makeTransport = (
  url: Redacted.Redacted<string>,
  headers: Redacted.Redacted<Readonly<Record<string, string>>>
): Effect.Effect<IndexTransport, never, Scope.Scope> =>
  Effect.map(
    jsonExchange({
      url: new URL(Redacted.value(url)),
      maximumBytes: LIMITS.maxResponseBytes,
      headers: Redacted.value(headers)
    }),
    ({ post }) => ({
      post: body =>
        post(body).pipe(
          Effect.mapError(fault => REFUSALS[fault]()),
          Effect.timeoutFail({ duration: LIMITS.timeoutMs, onTimeout: REFUSALS.late }),
          Effect.flatMap(bodyOf)
        )
    })
  )
