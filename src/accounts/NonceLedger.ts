/** Admits signed requests: one round trip decides account or grant, quota, nonce and clock for all requests that wait together. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, FiberSet, Layer, Schema } from "effect"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { refusingSql } from "../database/SqlFailure.ts"
import { Settings } from "../settings/Settings.ts"
import { stage } from "../telemetry/Stage.ts"
import { decoder } from "../values/Conforms.ts"
import { AccountActors } from "./AccountActors.ts"
import { gathering, type LedgerFailure } from "./Gathering.ts"
import { Judged, type Judgement, judgementOf, type LedgerRequest } from "./LedgerVerdict.ts"

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

      const gather = gathering({ judgeAll, actors, fork })

      const judgeWithin = Effect.fn("NonceLedger.judgeWithin")(function* (request: LedgerRequest) {
        const [judged] = yield* judgeAll([request], true)
        return judged === undefined
          ? yield* Effect.dieMessage("the ledger gave no verdict")
          : judgementOf(judged, request)
      })

      return {
        judge: request => judging(Effect.map(gather(request), judged => judgementOf(judged, request))),
        judgeWithin
      }
    })
  )
}
