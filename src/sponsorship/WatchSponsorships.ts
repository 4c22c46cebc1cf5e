/** Looks after what published requests came to, in every replica, for as long as a chain may still take it back; it sends nothing. */
import { Array, Effect, Layer, Metric } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { blockByNumber, chainProof } from "../chain/Reads.ts"
import { DEAD_PAGE, type DeadRequest, SponsoredCallStore } from "./SponsoredCallStore.ts"

const IDLE = "5 seconds"

const contradictions = Metric.counter("service_finality_contradictions_total", {
  description: "Proofs at a final block that its chain took back",
  incremental: true
})

const unknownSubmissions = Metric.gauge("service_unknown_submissions", {
  description: "Submissions of which nobody knows whether they arrived, and no chain tells yet"
}).pipe(Metric.tagged("kind", "sponsorship"))

const oldestUnknown = Metric.gauge("service_oldest_unknown_submission_seconds", {
  description: "Age of the oldest submission of which nobody knows whether it arrived"
}).pipe(Metric.tagged("kind", "sponsorship"))

/** A node without the block is behind, which proves nothing. */
const contradicted = Effect.fnUntraced(function* (chainId: number, dead: ReadonlyArray<DeadRequest>) {
  const numbers = [...new Set(dead.map(({ number }) => number))]
  const { answers } = yield* (yield* ChainClient).begin(chainId, [
    chainProof(chainId),
    ...numbers.map(number => blockByNumber(chainId, number))
  ])
  const [, ...blocks] = answers
  const hashes = new Map(numbers.map((number, index) => [number, blocks[index]?.hash]))
  return dead.filter(({ number, hash }) => (hashes.get(number) ?? hash) !== hash)
})

const lookAfter = Effect.fnUntraced(function* (chainId: number, dead: ReadonlyArray<DeadRequest>) {
  const living = yield* contradicted(chainId, dead)
  if (living.length === 0) return
  const revived = yield* (yield* SponsoredCallStore).revived(living)
  yield* Metric.incrementBy(contradictions, revived)
  yield* Effect.logError("a final block is its chain's no more; requests that were proved dead live again")
})

/** What cannot be looked at now is looked at again after its back-off. */
export const sweepSponsorships = Effect.gen(function* () {
  const store = yield* SponsoredCallStore
  const due = yield* store.claimDead
  yield* Effect.forEach(
    Object.values(Array.groupBy(due, ({ chainId }) => String(chainId))),
    dead => Effect.ignore(lookAfter(dead[0].chainId, dead)),
    { concurrency: "unbounded", discard: true }
  )
  const { count, oldestSeconds } = yield* store.unknown
  yield* Metric.set(unknownSubmissions, count)
  yield* Metric.set(oldestUnknown, oldestSeconds)
  return due.length
}).pipe(Effect.withSpan("Sponsorship.sweep"))

const sweepAndRest = sweepSponsorships.pipe(
  Effect.catchAll(() => Effect.succeed(0)),
  Effect.catchAllDefect(defect => Effect.as(Effect.logError("a sweep failed unforeseen", defect), 0)),
  Effect.flatMap(count => (count < DEAD_PAGE ? Effect.sleep(IDLE) : Effect.void))
)

export const sponsorshipWorker = Layer.scopedDiscard(Effect.forkScoped(Effect.forever(sweepAndRest)))
