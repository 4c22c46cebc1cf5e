/** Gathers requests that wait together into batches: while one is judged the next gathers. */
import { Effect, Exit, type Fiber, Metric, MetricBoundaries } from "effect"
import { DatabaseUnavailable } from "../database/refusals.ts"
import type { AccountActors } from "./AccountActors.ts"
import type { Judged, LedgerRequest } from "./LedgerVerdict.ts"
import type { ServiceBusy } from "./refusals.ts"

const BATCH_BOUND = 256
/** A request whose account is held asks again for about five seconds. */
const HELD_ATTEMPTS = 25
const heldDelay = (attempt: number): number => Math.min(5 * 2 ** attempt, 250)

const batchSize = Metric.histogram(
  "service_ledger_batch_size",
  MetricBoundaries.fromIterable([1, 2, 4, 8, 16, 32, 64, 128, 256]),
  "Signed requests that one round trip of the ledger judged together."
)

export type LedgerFailure = DatabaseUnavailable | ServiceBusy

interface Waiting {
  readonly request: LedgerRequest
  readonly attempt: number
  readonly resume: (judged: Effect.Effect<Judged, LedgerFailure>) => void
}

export interface Judging {
  readonly judgeAll: (
    requests: ReadonlyArray<LedgerRequest>,
    wait: boolean
  ) => Effect.Effect<ReadonlyArray<Judged>, DatabaseUnavailable>
  readonly actors: AccountActors["Type"]
  readonly fork: (work: Effect.Effect<void>) => Fiber.Fiber<void>
}

/** Gives the way to have one request judged with whatever else waits. */
export const gathering = ({ judgeAll, actors, fork }: Judging) => {
  const waiting: Array<Waiting> = []
  let flushing = false

  const enqueue = (entry: Waiting) => {
    waiting.push(entry)
    if (flushing) return
    flushing = true
    fork(flushAll)
  }

  /** Waits outside the pool: a held account must not keep a connection from the others. */
  const askAgain = (entry: Waiting) => {
    const attempt = entry.attempt + 1
    if (attempt > HELD_ATTEMPTS) entry.resume(Effect.fail(new DatabaseUnavailable()))
    else
      fork(
        Effect.delay(
          Effect.sync(() => enqueue({ ...entry, attempt })),
          heldDelay(entry.attempt)
        )
      )
  }

  const settle = (entry: Waiting, judged: Judged | undefined) => {
    if (judged === undefined) entry.resume(Effect.dieMessage("the ledger gave no verdict"))
    else if (judged.verdict === "HELD") askAgain(entry)
    else if (judged.verdict === "ALONE") judgeAlone(entry)
    else entry.resume(Effect.succeed(judged))
  }

  const judgeAlone = (entry: Waiting) => {
    const judging = actors.run(entry.request.accountId, judgeAll([entry.request], false))
    fork(
      Effect.map(
        Effect.exit(judging),
        Exit.match({
          onSuccess: ([judged]) => settle(entry, judged),
          onFailure: cause => entry.resume(Effect.failCause(cause))
        })
      )
    )
  }

  const flush = (batch: ReadonlyArray<Waiting>) =>
    Effect.map(
      Effect.exit(
        judgeAll(
          batch.map(entry => entry.request),
          false
        )
      ),
      Exit.match({
        onSuccess: judgements => {
          for (const [index, entry] of batch.entries()) settle(entry, judgements[index])
        },
        onFailure: () => batch.forEach(judgeAlone)
      })
    )

  const flushAll: Effect.Effect<void> = Effect.suspend(() => {
    const batch = waiting.splice(0, BATCH_BOUND)
    if (batch.length > 0) {
      batchSize.unsafeUpdate(batch.length, [])
      return Effect.flatMap(flush(batch), () => flushAll)
    }
    flushing = false
    return Effect.void
  })

  return (request: LedgerRequest) =>
    Effect.async<Judged, LedgerFailure>(resume => enqueue({ request, attempt: 0, resume }))
}
