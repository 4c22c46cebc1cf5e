/** Looks after proofs that rest on final blocks, for as long as a chain may still take such a block back. */
import { Array, Effect, Metric } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { blockByNumber, chainProof } from "../chain/Reads.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import type { BlockPlace } from "./SearchHeads.ts"
import type { MeasuredTransport } from "./TransportMetrics.ts"

/** With their back-off most of a day: what moves later is no reorganisation. The last of them has to show the block. */
export const LOOKS_AT_PROOFS = 24
export const PROOFS_PAGE = 50

const contradictions = Metric.counter("service_finality_contradictions_total", {
  description: "Proofs at a final block that its chain took back",
  incremental: true
})

export const deadProofs = Metric.counter("service_dead_proofs_total", {
  description: "What was sent to be executed by others and was proved to be executable no more",
  incremental: true
})

/** What is unknown for longer is pending with its plan, which tells of it: none of former months is read for it. */
export const UNKNOWN_FOR_MS = 30 * 86_400_000

/** A count that is not there is not known to be zero. */
const shownFromStart = Effect.zip(Metric.incrementBy(contradictions, 0), Metric.incrementBy(deadProofs, 0))

const unknownSubmissions = Metric.gauge("service_unknown_submissions", {
  description: "Submissions of which nobody knows whether they arrived, and no chain tells yet"
})

const oldestUnknown = Metric.gauge("service_oldest_unknown_submission_seconds", {
  description: "Age of the oldest submission of which nobody knows whether it arrived"
})

/** Submissions of which nobody knows whether they arrived, and of which no chain has told. */
export interface UnknownSubmissions {
  readonly count: number
  readonly oldestSeconds: number
}

export const showUnknown = (
  transport: MeasuredTransport,
  { count, oldestSeconds }: UnknownSubmissions
): void => {
  Metric.tagged(unknownSubmissions, "transport", transport).unsafeUpdate(count, [])
  Metric.tagged(oldestUnknown, "transport", transport).unsafeUpdate(oldestSeconds, [])
}

/** What was proved at its final block. */
export interface FinalProof extends BlockPlace {
  readonly chainId: number
}

export interface ProofStore<Proof extends FinalProof> {
  /** Takes those whose blocks are to be looked at; no other replica gets them before their back-off is over. */
  readonly claimDead: Effect.Effect<ReadonlyArray<Proof>, DatabaseUnavailable>
  /** These were found to hold: those that were looked at often enough are looked at no more. */
  readonly held: (proofs: ReadonlyArray<Proof>) => Effect.Effect<void, DatabaseUnavailable>
  /** Of these, how many live again: their proof's block is not its chain's any more. */
  readonly revived: (proofs: ReadonlyArray<Proof>) => Effect.Effect<number, DatabaseUnavailable>
}

/** A node without the block is behind, which proves nothing. */
const judged = Effect.fnUntraced(function* <Proof extends FinalProof>(
  chainId: number,
  proofs: ReadonlyArray<Proof>
) {
  const numbers = [...new Set(proofs.map(({ number }) => number))]
  const { answers } = yield* (yield* ChainClient).begin(chainId, [
    chainProof(chainId),
    ...numbers.map(number => blockByNumber(chainId, number))
  ])
  const [, ...blocks] = answers
  const hashes = new Map(numbers.map((number, index) => [number, blocks[index]?.hash]))
  const told = proofs.filter(({ number }) => hashes.get(number) !== undefined)
  const [living, held] = Array.partition(told, ({ number, hash }) => hashes.get(number) === hash)
  return { living, held }
})

/** What cannot be looked at now is looked at again after its back-off; how many were due. */
export const lookAfterProofs = Effect.fnUntraced(function* <Proof extends FinalProof>(
  store: ProofStore<Proof>
) {
  yield* shownFromStart
  const due = yield* store.claimDead
  const lookAfter = Effect.fnUntraced(function* (chainId: number, proofs: ReadonlyArray<Proof>) {
    const { living, held } = yield* judged(chainId, proofs)
    if (held.length > 0) yield* store.held(held)
    if (living.length === 0) return
    yield* Metric.incrementBy(contradictions, yield* store.revived(living))
    yield* Effect.logError("a final block is its chain's no more; what was proved dead lives again")
  })
  yield* Effect.forEach(
    Object.values(Array.groupBy(due, ({ chainId }) => String(chainId))),
    proofs => Effect.ignore(lookAfter(proofs[0].chainId, proofs)),
    { concurrency: "unbounded", discard: true }
  )
  return due.length
})
