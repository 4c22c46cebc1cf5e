/** Publishes claimed requests once and records what is known of it; the room owns the sending, so that a client that leaves stops nothing. */
import { Context, Effect, Fiber, FiberSet, Layer, Metric, Option, Schedule } from "effect"
import { DispatchPersistenceUncertain } from "../dispatch/refusals.ts"
import { failpoint } from "../values/Failpoint.ts"
import { PrepaidProvider, type ProviderTransaction } from "./PrepaidProvider.ts"
import { publications } from "./ProviderMetrics.ts"
import type { ProviderQuote } from "./ProviderQuote.ts"
import { PublicationStore, type PublicationToken } from "./PublicationStore.ts"
import { verifyQuoteOf } from "./VerifyQuote.ts"

type Verifying = Effect.Effect.Context<ReturnType<typeof verifyQuoteOf>>

const AWAITED = "20 seconds"
const GRACE = "12 seconds"
const SETTLING = Schedule.intersect(Schedule.exponential("100 millis"), Schedule.recurs(5))

const count = (told: Option.Option<ProviderQuote>) =>
  Metric.increment(Metric.tagged(publications, "outcome", Option.isSome(told) ? "answered" : "unknown"))

export class Publish extends Context.Tag("sponsorship/Publish")<
  Publish,
  {
    /** Ends once the outcome is stored, or after twenty seconds, while the sending goes on. */
    readonly publish: (
      transactions: ReadonlyArray<ProviderTransaction>,
      token: PublicationToken
    ) => Effect.Effect<void, DispatchPersistenceUncertain>
  }
>() {
  static readonly layer = Layer.scoped(
    Publish,
    Effect.gen(function* () {
      const provider = yield* PrepaidProvider
      const store = yield* PublicationStore
      const verifying = yield* FiberSet.make<void>()
      const context = yield* Effect.context<Verifying>()
      const fibers = yield* FiberSet.make<void, DispatchPersistenceUncertain>()
      yield* Effect.addFinalizer(() =>
        Effect.disconnect(Effect.timeoutOption(FiberSet.awaitEmpty(fibers), GRACE))
      )

      /** Nobody waits for it: whoever looks again finds what it found. */
      const verify = ({ sponsorshipId }: PublicationToken) =>
        FiberSet.run(
          verifying,
          Effect.ignore(verifyQuoteOf(sponsorshipId)).pipe(
            Effect.catchAllDefect(defect => Effect.logError("a quote could not be looked at", defect)),
            Effect.provide(context)
          )
        )

      const publishAndSettle = (transactions: ReadonlyArray<ProviderTransaction>, token: PublicationToken) =>
        failpoint("sponsor.posted").pipe(
          Effect.zipRight(provider.publish(transactions)),
          Effect.zipLeft(failpoint("sponsor.answered")),
          Effect.tap(told => Effect.retry(store.settle(token, told), SETTLING)),
          Effect.tap(count),
          Effect.zipLeft(failpoint("sponsor.settled")),
          Effect.zipLeft(verify(token)),
          Effect.asVoid,
          Effect.mapError(
            () => new DispatchPersistenceUncertain({ context: { sponsorshipId: token.sponsorshipId } })
          )
        )

      return {
        publish: Effect.fn("Publish.publish")(function* (transactions, token) {
          const publishing = Effect.interruptible(publishAndSettle(transactions, token))
          const fiber = yield* FiberSet.run(fibers, publishing)
          yield* Effect.interruptible(Effect.timeoutOption(Fiber.await(fiber), AWAITED))
          const exit = yield* fiber.poll
          yield* Effect.transposeOption(exit)
        })
      }
    })
  )
}
