/** Admits signed requests: one round trip decides account or grant, quota, nonce and clock for all requests that wait together. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Exit, type Fiber, FiberSet, Layer, Metric, MetricBoundaries, Schema } from "effect"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { refusingSql } from "../database/Pool.ts"
import { DatabaseUnavailable } from "../database/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { stage } from "../telemetry/Requests.ts"
import { decoder } from "../values/Conforms.ts"
import { AccountActors } from "./AccountActors.ts"
import { Judged, type Judgement, judgementOf, type LedgerRequest } from "./LedgerVerdict.ts"
import type { ServiceBusy } from "./refusals.ts"

const ADMIT = `SELECT verdict, quota_limit, quota_remaining, retry_after, clock_millis, scopes, account_record
FROM admit_requests($1, $2, $3::uuid[], $4, $5, $6, $7, $8, $9, $10, $11, $12) ORDER BY position`

const decodeJudged = decoder(Schema.Array(Judged))

const column = <A>(requests: ReadonlyArray<LedgerRequest>, member: (request: LedgerRequest) => A) =>
  requests.map(member)

const parameters = (requests: ReadonlyArray<LedgerRequest>): ReadonlyArray<unknown> => [
  column(requests, request => request.accountId),
  column(requests, request => request.signer),
  column(requests, request => request.grantId ?? null),
  column(requests, request => request.ownerOnly),
  column(requests, request => request.scope),
  column(requests, request => Buffer.from(request.nonce.slice(2), "hex")),
  column(requests, request => request.issuedAt),
  column(requests, request => request.expiresAt),
  column(requests, request => request.wantsAccount)
]

const judging = stage("NonceLedger.judge")

export class NonceLedger extends Context.Tag("accounts/NonceLedger")<
  NonceLedger,
  {
    /** Consumes the nonce of a request whose signature is verified; a refused request consumes nothing. */
    readonly judge: (request: LedgerRequest) => Effect.Effect<Judgement, LedgerFailure>
    /** The same inside the caller's transaction. */
    readonly judgeWithin: (request: LedgerRequest) => Effect.Effect<Judgement, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    NonceLedger,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const clock = yield* DatabaseClock
      const actors = yield* AccountActors
      const { quotas } = yield* Settings
      const fibers = yield* FiberSet.make()
      const fork = yield* FiberSet.runtime(fibers)<never>()

      const judgeAll = (requests: ReadonlyArray<LedgerRequest>, wait: boolean) =>
        sql.unsafe(ADMIT, [...parameters(requests), quotas.owner, quotas.bots, wait]).pipe(
          refusingSql,
          Effect.flatMap(rows => Effect.orDie(decodeJudged(rows))),
          Effect.tap(([first]) => (first === undefined ? Effect.void : clock.learn(first.clock_millis)))
        )

      const gathering = new Gathering({ judgeAll, actors, fork })

      const judgeWithin = Effect.fn("NonceLedger.judgeWithin")(function* (request: LedgerRequest) {
        const [judged] = yield* judgeAll([request], true)
        return judged === undefined
          ? yield* Effect.dieMessage("the ledger gave no verdict")
          : judgementOf(judged, request)
      })

      return {
        judge: request =>
          judging(Effect.map(gathering.judge(request), judged => judgementOf(judged, request))),
        judgeWithin
      }
    })
  )
}

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
  /** Whether it was judged before by a statement whose answer nobody has. */
  readonly isAskedAnew: boolean
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

/** Nobody knows whether the nonce was this request's own: a new one tells. */
const usedPerhapsByItself = Effect.fail(new DatabaseUnavailable())

/** Has requests judged in a batch with whatever else waits: while one batch is judged the next gathers. */
class Gathering {
  readonly #judging: Judging
  readonly #waiting: Array<Waiting> = []
  #flushing = false

  constructor(judging: Judging) {
    this.#judging = judging
  }

  judge(request: LedgerRequest): Effect.Effect<Judged, LedgerFailure> {
    return Effect.async(resume => this.#enqueue({ request, attempt: 0, isAskedAnew: false, resume }))
  }

  #enqueue(entry: Waiting): void {
    this.#waiting.push(entry)
    if (this.#flushing) return
    this.#flushing = true
    this.#judging.fork(this.#flushAll)
  }

  readonly #flushAll: Effect.Effect<void> = Effect.suspend(() => {
    const batch = this.#waiting.splice(0, BATCH_BOUND)
    if (batch.length > 0) {
      batchSize.unsafeUpdate(batch.length, [])
      return Effect.flatMap(this.#flush(batch), () => this.#flushAll)
    }
    this.#flushing = false
    return Effect.void
  })

  #flush(batch: ReadonlyArray<Waiting>): Effect.Effect<void> {
    const requests = batch.map(({ request }) => request)
    return Effect.map(
      Effect.exit(this.#judging.judgeAll(requests, false)),
      Exit.match({
        onSuccess: judgements => {
          for (const [index, entry] of batch.entries()) this.#settle(entry, judgements[index])
        },
        onFailure: () => {
          for (const entry of batch) this.#judgeAlone({ ...entry, isAskedAnew: true })
        }
      })
    )
  }

  #judgeAlone(entry: Waiting): void {
    const { actors, fork, judgeAll } = this.#judging
    const judged = actors.run(entry.request.accountId, judgeAll([entry.request], false))
    fork(
      Effect.map(
        Effect.exit(judged),
        Exit.match({
          onSuccess: ([only]) => this.#settle(entry, only),
          onFailure: cause => entry.resume(Effect.failCause(cause))
        })
      )
    )
  }

  #settle(entry: Waiting, judged: Judged | undefined): void {
    if (judged === undefined) entry.resume(Effect.dieMessage("the ledger gave no verdict"))
    else if (judged.verdict === "HELD") this.#askAgain(entry)
    else if (judged.verdict === "ALONE") this.#judgeAlone(entry)
    else if (judged.verdict === "NONCE_REUSED" && entry.isAskedAnew) entry.resume(usedPerhapsByItself)
    else entry.resume(Effect.succeed(judged))
  }

  /** Waits outside the pool: a held account must not keep a connection from the others. */
  #askAgain(entry: Waiting): void {
    const attempt = entry.attempt + 1
    const again = Effect.sync(() => this.#enqueue({ ...entry, attempt }))
    if (attempt > HELD_ATTEMPTS) entry.resume(Effect.fail(new DatabaseUnavailable()))
    else this.#judging.fork(Effect.delay(again, heldDelay(entry.attempt)))
  }
}
