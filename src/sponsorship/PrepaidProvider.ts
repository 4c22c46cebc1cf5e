/** The prepaid provider: what leaves for it, once, and what it is heard to say. */
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Settings } from "../settings/Settings.ts"
import { type ExchangeFault, type HttpAnswer, jsonExchange } from "../upstream/JsonExchange.ts"
import { makeDeadlines } from "../values/Deadlines.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import { ProviderBundle } from "./ProviderBundle.ts"
import { timed } from "./ProviderMetrics.ts"
import { ProviderAnswer, type ProviderQuote, quoteOf } from "./ProviderQuote.ts"

const MAXIMUM_ANSWER_BYTES = 524_288
const DEADLINE_MS = 45_000
const READING_MS = 10_000
const PATH = "/v1/bundle/prepaid"

/** The call of a forwarder's `execute`. */
export interface ProviderTransaction {
  readonly chain: number
  readonly target: Address
  readonly data: Hex
  readonly value: string
  /** Its place among those of its chain. */
  readonly virtual_nonce: number
}

const decodeAnswer = Schema.decodeUnknownOption(ProviderAnswer)
const decodeBundle = Schema.decodeUnknownOption(ProviderBundle)

/** Why there is no bundle to judge. */
export type ProviderSilence = "unavailable" | "late" | "unreadable" | "unknown-bundle"

const silenceOf = (fault: ExchangeFault): ProviderSilence => {
  if (fault === "late") return "late"
  return fault === "unreachable" ? "unavailable" : "unreadable"
}

const bundleIn = ({ status, body }: HttpAnswer): Effect.Effect<ProviderBundle, ProviderSilence> => {
  if (status === 404) return Effect.fail("unknown-bundle")
  if (status !== 200) return Effect.fail("unavailable")
  return Option.match(decodeBundle(body), {
    onNone: () => Effect.fail("unreadable"),
    onSome: Effect.succeed
  })
}

export class PrepaidProvider extends Context.Tag("sponsorship/PrepaidProvider")<
  PrepaidProvider,
  {
    /** Sends once; none where it is not known what became of it. */
    readonly publish: (
      transactions: ReadonlyArray<ProviderTransaction>
    ) => Effect.Effect<Option.Option<ProviderQuote>>
    readonly bundle: (bundleId: string) => Effect.Effect<ProviderBundle, ProviderSilence>
  }
>() {
  static readonly layer = Layer.scoped(
    PrepaidProvider,
    Effect.gen(function* () {
      const { providerUrl, providerHeaders } = (yield* Settings).sponsorship
      if (providerUrl === undefined)
        return {
          publish: () => Effect.dieMessage("no provider is configured"),
          bundle: () => Effect.fail("unavailable")
        }
      const { postAlone, get } = yield* jsonExchange({
        url: new URL(PATH, Redacted.value(providerUrl)),
        maximumBytes: MAXIMUM_ANSWER_BYTES,
        headers: Redacted.value(providerHeaders)
      })
      const { now, watch } = yield* makeDeadlines
      return {
        bundle: (bundleId: string) =>
          timed(
            "bundle",
            get(`/v1/bundle/${bundleId}`, expire => watch(now() + READING_MS, expire))
          ).pipe(
            Effect.mapError(silenceOf),
            Effect.flatMap(bundleIn),
            Effect.withSpan("PrepaidProvider.bundle", { kind: "client" })
          ),
        publish: (transactions: ReadonlyArray<ProviderTransaction>) => {
          const body = JSON.stringify({ transactions, virtual_nonce_mode: "ChainIndependent" })
          return timed(
            "publish",
            postAlone(body, expire => watch(now() + DEADLINE_MS, expire))
          ).pipe(
            Effect.map(({ status, body: told }) =>
              status === 200 || status === 201
                ? Option.flatMapNullable(decodeAnswer(told), answer => quoteOf(answer, transactions))
                : Option.none()
            ),
            Effect.orElseSucceed(() => Option.none()),
            Effect.withSpan("PrepaidProvider.publish", { kind: "client" })
          )
        }
      }
    })
  )
}
