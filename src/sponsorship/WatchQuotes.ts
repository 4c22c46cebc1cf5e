/** Looks again at quotes that are not proved, in every replica; it sends nothing. */
import { Effect, Layer, Metric } from "effect"
import { sweepForever } from "../dispatch/SweepForever.ts"
import { Settings } from "../settings/Settings.ts"
import { QUOTES_PAGE, QuoteStore } from "./QuoteStore.ts"
import { SponsorshipStore } from "./SponsorshipStore.ts"
import { verifyQuote } from "./VerifyQuote.ts"

const AT_ONCE = 4

const unverified = Metric.gauge("service_quotes_unverified", {
  description: "Quotes of the provider that are not proved, and are looked at again"
})

export const sweepQuotes = Effect.gen(function* () {
  const store = yield* QuoteStore
  const due = yield* store.claimPage
  const stored = yield* (yield* SponsorshipStore).loadAll(due)
  yield* Effect.forEach(stored, quoted => Effect.ignore(verifyQuote(quoted)), {
    concurrency: AT_ONCE,
    discard: true
  })
  yield* Metric.set(unverified, yield* store.unverified)
  return due.length
}).pipe(Effect.withSpan("Sponsorship.sweepQuotes"))

/** However many wait for a proof that does not come, they take no more of the service than this; those that are asked for are looked at then. */
const PACE = { worker: "quotes", page: QUOTES_PAGE, between: "1 second", idle: "5 seconds" } as const

/** Who has no provider to ask leaves them to those that have. */
export const quoteWorker = Layer.unwrapEffect(
  Effect.map(Settings, ({ sponsorship }) =>
    sponsorship.providerUrl === undefined
      ? Layer.empty
      : Layer.scopedDiscard(Effect.forkScoped(sweepForever(sweepQuotes, PACE)))
  )
)
