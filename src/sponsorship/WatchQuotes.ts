/** Looks again at quotes that are not proved, in every replica; it sends nothing. */
import { Effect, Layer, Metric } from "effect"
import { sweepForever } from "../dispatch/SweepForever.ts"
import { Settings } from "../settings/Settings.ts"
import { QUOTES_PAGE, QuoteStore } from "./QuoteStore.ts"
import { verifyQuoteOf } from "./VerifyQuote.ts"

const AT_ONCE = 4

const unverified = Metric.gauge("service_quotes_unverified", {
  description: "Quotes of the provider that are not proved, and are looked at again"
})

export const sweepQuotes = Effect.gen(function* () {
  const store = yield* QuoteStore
  const due = yield* store.claimPage
  yield* Effect.forEach(due, id => Effect.ignore(verifyQuoteOf(id)), { concurrency: AT_ONCE, discard: true })
  yield* Metric.set(unverified, yield* store.unverified)
  return due.length
}).pipe(Effect.withSpan("Sponsorship.sweepQuotes"))

/** Who has no provider to ask leaves them to those that have. */
export const quoteWorker = Layer.unwrapEffect(
  Effect.map(Settings, ({ sponsorship }) =>
    sponsorship.providerUrl === undefined
      ? Layer.empty
      : Layer.scopedDiscard(
          Effect.forkScoped(sweepForever(sweepQuotes, { page: QUOTES_PAGE, idle: "5 seconds" }))
        )
  )
)
