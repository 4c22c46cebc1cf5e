/** The way to one node: JSON over https, or over http on this machine, until a time of a clock that nobody sets. */
import { Effect, Redacted, type Scope } from "effect"
import { type ExchangeFault, type HttpAnswer, jsonExchange } from "../upstream/JsonExchange.ts"
import { makeDeadlines } from "../values/Deadlines.ts"
import { parsedUrl } from "../values/ParsedUrl.ts"
import { RpcInvalidResponse, RpcTimeout, RpcUnavailable } from "./refusals.ts"

const MAXIMUM_RESPONSE_BYTES = 5 * 1024 * 1024

/** It may be so because of what was asked. */
export class OversizedAnswer extends RpcInvalidResponse {}

export type TransportFailure = RpcUnavailable | RpcInvalidResponse | RpcTimeout

export interface HttpExchange {
  /** Milliseconds of the clock that deadlines are told by. */
  readonly now: () => number
  readonly post: (body: string, until: number) => Effect.Effect<HttpAnswer, TransportFailure>
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname))

const FAILURES: Readonly<Record<ExchangeFault, () => TransportFailure>> = {
  unreachable: () => new RpcUnavailable(),
  late: () => new RpcTimeout(),
  oversized: () => new OversizedAnswer(),
  unreadable: () => new RpcInvalidResponse()
}

export const httpExchange = (
  secret: Redacted.Redacted<string>
): Effect.Effect<HttpExchange, never, Scope.Scope> =>
  Effect.gen(function* () {
    const url = parsedUrl(Redacted.value(secret))
    if (!url || !isSafe(url)) return yield* Effect.dieMessage("an RPC URL is neither https nor loopback http")
    const { post } = yield* jsonExchange({ url, maximumBytes: MAXIMUM_RESPONSE_BYTES, readsRefusals: true })
    const { now, watch } = yield* makeDeadlines
    return {
      now,
      post: (body, until) =>
        Effect.mapError(
          post(body, expire => watch(until, expire)),
          fault => FAILURES[fault]()
        )
    }
  })
