/** Enrols an account for its owner: the account and the request's nonce are stored together or not at all. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { transaction } from "../database/Transaction.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { AccountActors } from "./AccountActors.ts"
import { AccountStore, type Enrolling } from "./AccountStore.ts"
import type { LedgerRequest } from "./LedgerVerdict.ts"
import { NonceLedger } from "./NonceLedger.ts"

const ENROLMENT_QUEUE = "enrolment"

/** A refused request rolls the account back with its nonce; new accounts queue here rather than in the pool. */
const enrollNew = Effect.fn("Enrollment.enroll")(function* (identity: Enrolling, request: LedgerRequest) {
  const sql = yield* SqlClient.SqlClient
  const store = yield* AccountStore
  const ledger = yield* NonceLedger
  const actors = yield* AccountActors
  const both = Effect.gen(function* () {
    yield* store.enroll(identity)
    const { quota, verdict } = yield* ledger.judgeWithin(request)
    return { quota, verdict: Effect.succeed(yield* verdict) }
  })
  return yield* actors.run(ENROLMENT_QUEUE, transaction(sql, both))
})

/** An account that exists takes the ordinary way, so that only new ones wait for each other, and need to be ready for that. */
export const judgeEnrolling = Effect.fn("Enrollment.judge")(function* (
  identity: Enrolling,
  request: LedgerRequest,
  ready: Effect.Effect<unknown, AnyRefusal>
) {
  const ledger = yield* NonceLedger
  const judgement = yield* ledger.judge(request)
  const verdict = yield* Effect.either(judgement.verdict)
  const isNew = verdict._tag === "Left" && verdict.left._tag === "ACCOUNT_NOT_FOUND"
  if (!isNew) return judgement
  yield* ready
  return yield* enrollNew(identity, request)
})
