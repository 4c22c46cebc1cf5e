/** Publishes claimed requests once and records what is known of it; the room owns the sending, so that a client that leaves stops nothing. */
import { Context, Effect, Fiber, FiberSet, Layer, Option, Schedule } from "effect"
import { DispatchPersistenceUncertain } from "../dispatch/refusals.ts"
import { countSubmission } from "../dispatch/TransportMetrics.ts"
import { unheardClaims } from "../dispatch/UnheardClaims.ts"
import { failpoint } from "../values/Failpoint.ts"
import { withinGrace } from "../values/Grace.ts"
import { PrepaidProvider, type ProviderTransaction } from "./PrepaidProvider.ts"
import type { ProviderQuote } from "./ProviderQuote.ts"
import { type PublicationRequest, PublicationStore } from "./PublicationStore.ts"
import type { PublicationToken } from "./SettlePublications.ts"
import type { StoredSponsorship } from "./SponsorshipRow.ts"
import { verifyQuote } from "./VerifyQuote.ts"

type Verifying = Effect.Effect.Context<ReturnType<typeof verifyQuote>>

export interface ClaimedSponsorship {
  /** As it was before it was claimed. */
  readonly stored: StoredSponsorship
  readonly token: PublicationToken
}

const AWAITED = "20 seconds"
const GRACE = "12 seconds"
const SETTLING = Schedule.intersect(Schedule.exponential("100 millis"), Schedule.recurs(5))
/** Nobody else can tell the provider's answer again. */
const KEEPING = Schedule.spaced("1 second")

const MOMENT_MS = 50

const nextMoment = Effect.clockWith(clock =>
  Effect.sleep(MOMENT_MS - (clock.unsafeCurrentTimeMillis() % MOMENT_MS))
)

/** Nobody waits for it, and those of one moment look together: whoever looks again finds what it found. */
const lookAtQuote = (settled: StoredSponsorship) =>
  Effect.ignore(Effect.zipRight(nextMoment, verifyQuote(settled))).pipe(
    Effect.catchAllDefect(defect => Effect.logError("a quote could not be looked at", defect))
  )

const count = (told: Option.Option<ProviderQuote>) =>
  countSubmission("sponsorship", Option.isSome(told) ? "answered" : "unknown")

const uncertain = ({ sponsorshipId }: PublicationToken) =>
  new DispatchPersistenceUncertain({ context: { sponsorshipId } })

/** Its first tries are waited for; the others go on by themselves until one succeeds. */
const keptOn = <E>(
  keeping: FiberSet.FiberSet<StoredSponsorship>,
  settle: Effect.Effect<StoredSponsorship, E>
) =>
  Effect.tapError(Effect.retry(settle, SETTLING), () =>
    FiberSet.run(keeping, Effect.orDie(Effect.retry(settle, KEEPING)))
  )

export class Publish extends Context.Tag("sponsorship/Publish")<
  Publish,
  {
    /** The sponsorship once the outcome is stored, or nothing after twenty seconds, while the sending goes on. */
    readonly publish: (
      claimed: ClaimedSponsorship,
      transactions: ReadonlyArray<ProviderTransaction>
    ) => Effect.Effect<Option.Option<StoredSponsorship>, DispatchPersistenceUncertain>
    /** Where the claim is found to stand of which nobody was told. */
    readonly publishUnheard: (
      request: PublicationRequest,
      claimed: ClaimedSponsorship,
      transactions: ReadonlyArray<ProviderTransaction>
    ) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(
    Publish,
    Effect.gen(function* () {
      const provider = yield* PrepaidProvider
      const store = yield* PublicationStore
      const verifying = yield* FiberSet.make<void>()
      const context = yield* Effect.context<Verifying>()
      const fibers = yield* FiberSet.make<StoredSponsorship, DispatchPersistenceUncertain>()
      const keeping = yield* FiberSet.make<StoredSponsorship>()
      const sendUnheard = yield* unheardClaims
      const empty = Effect.zipRight(FiberSet.awaitEmpty(fibers), FiberSet.awaitEmpty(keeping))
      yield* Effect.addFinalizer(() => withinGrace(empty, GRACE))

      const verify = (settled: StoredSponsorship) =>
        FiberSet.run(verifying, Effect.provide(lookAtQuote(settled), context))

      const publishAndSettle = (
        { stored, token }: ClaimedSponsorship,
        transactions: ReadonlyArray<ProviderTransaction>
      ) =>
        Effect.gen(function* () {
          yield* failpoint("sponsor.posted")
          const told = yield* provider.publish(transactions)
          yield* failpoint("sponsor.answered")
          const settle = Effect.tap(
            Effect.map(
              store.settle(token, told),
              (settled): StoredSponsorship => ({ ...stored, ...settled })
            ),
            published => Effect.all([count(told), failpoint("sponsor.settled"), verify(published)])
          )
          return yield* keptOn(keeping, settle)
        }).pipe(Effect.mapError(() => uncertain(token)))

      return {
        publish: Effect.fn("Publish.publish")(function* (claimed, transactions) {
          const publishing = Effect.interruptible(publishAndSettle(claimed, transactions))
          const fiber = yield* FiberSet.run(fibers, publishing)
          yield* Effect.interruptible(Effect.timeoutOption(Fiber.await(fiber), AWAITED))
          const exit = yield* fiber.poll
          return yield* Effect.transposeOption(exit)
        }),
        publishUnheard: (request, claimed, transactions) =>
          sendUnheard(
            store.stands(request, claimed.token),
            FiberSet.run(fibers, publishAndSettle(claimed, transactions))
          )
      }
    })
  )
}
