/** One bundler by its URL: it is asked and sent to once it has shown that it serves the chain and the entry point. */
import { Duration, Effect, Option, Redacted, Schema } from "effect"
import type { OperationPlace } from "../values/PackedOperation.ts"
import { steadyMillis } from "../values/SteadyClock.ts"
import { timedExchange } from "./BundlerMetrics.ts"
import { ChainNumber, EntryPoints } from "./BundlerWire.ts"
import { type RpcExchange, type RpcFault, type RpcRefusal, rpcExchange } from "./RpcExchange.ts"
import { BundlerInvalidResponse, BundlerTimeout, BundlerUnavailable } from "./refusals.ts"

const READING_MS = 10_000
/** For so long it is not asked again what it serves. */
const KNOWN_FOR_MS = Duration.toMillis("10 minutes")

export type BundlerFailure = BundlerUnavailable | BundlerTimeout | BundlerInvalidResponse

const failureOf = (fault: RpcFault): BundlerFailure => {
  if (fault === "late") return new BundlerTimeout()
  return fault === "unreachable" ? new BundlerUnavailable() : new BundlerInvalidResponse()
}

export const isRefused = <A>(answer: A | RpcRefusal): answer is RpcRefusal =>
  Object(answer)._tag === "Refused"

const asking =
  (exchange: RpcExchange) =>
  <A, I>(method: string, params: ReadonlyArray<unknown>, schema: Schema.Schema<A, I>) =>
    exchange({ method, params }, READING_MS).pipe(
      Effect.mapError(failureOf),
      Effect.flatMap((answer): Effect.Effect<A | RpcRefusal, BundlerInvalidResponse> => {
        if (answer._tag === "Refused") return Effect.succeed(answer)
        const decoded = Schema.decodeUnknown(schema)(answer.result)
        return Effect.mapError(decoded, () => new BundlerInvalidResponse())
      })
    )

/** What every bundler answers. */
const told = <A>(answer: A | RpcRefusal): Effect.Effect<A, BundlerUnavailable> =>
  isRefused(answer)
    ? Effect.fail(new BundlerUnavailable({ context: { rpcCode: answer.code } }))
    : Effect.succeed(answer)

const differs = (check: string) => new BundlerInvalidResponse({ context: { check } })

const checkServing = Effect.fnUntraced(function* (
  ask: ReturnType<typeof asking>,
  { chainId, entryPoint }: OperationPlace
) {
  const [chain, entryPoints] = yield* Effect.all(
    [
      Effect.flatMap(ask("eth_chainId", [], ChainNumber), told),
      Effect.flatMap(ask("eth_supportedEntryPoints", [], EntryPoints), told)
    ],
    { concurrency: "unbounded" }
  )
  if (chain !== BigInt(chainId)) return yield* differs("chain")
  if (!entryPoints.includes(entryPoint)) return yield* differs("entry-point")
})

export const bundlerEndpoint = Effect.fnUntraced(function* (
  chainId: number,
  url: Redacted.Redacted<string>,
  place: number
) {
  const untimed = yield* rpcExchange(new URL(Redacted.value(url)))
  const shown = new Map<string, number>()
  const everShown = new Set<string>()
  const clock = yield* Effect.clock
  let answeredAt = steadyMillis(clock)
  const timed = timedExchange(chainId, `${chainId}/${place}`, untimed)
  /** One that does not answer has to show again that it serves. */
  const exchange: RpcExchange = (question, deadlineMillis) =>
    Effect.tapBoth(timed(question, deadlineMillis), {
      onFailure: () => Effect.sync(() => shown.clear()),
      onSuccess: () =>
        Effect.sync(() => {
          answeredAt = steadyMillis(clock)
        })
    })
  const ask = asking(exchange)
  const checkServes = Effect.fnUntraced(function* (place: OperationPlace) {
    const now = steadyMillis(clock)
    const last = shown.get(place.entryPoint)
    if (last !== undefined && now - last < KNOWN_FOR_MS) return
    yield* Effect.tapErrorTag(checkServing(ask, place), "BUNDLER_INVALID_RESPONSE", ({ context }) =>
      Effect.sync(() => context?.check !== undefined && everShown.delete(place.entryPoint))
    )
    shown.set(place.entryPoint, now)
    everShown.add(place.entryPoint)
  })
  /** When it answered last, though it may not now; one that said otherwise since has to show it again. */
  const servedAt = ({ entryPoint }: OperationPlace): Option.Option<number> =>
    everShown.has(entryPoint) ? Option.some(answeredAt) : Option.none()
  return { exchange, ask, checkServes, servedAt }
})

export type BundlerEndpoint = Effect.Effect.Success<ReturnType<typeof bundlerEndpoint>>
