/** One key, one outcome: which request a key names, and what it led to. */

import { createHash } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, type Option } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { batching } from "../database/Gathering.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { ProblemRegister } from "../values/ProblemRegister.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { IdempotencyConflict, IdempotencyRequired } from "./refusals.ts"
import { SignedRequest } from "./SignedRequest.ts"

/** SHA-256 over the JSON array of method, exact target and content type, one zero byte, then the raw body. */
const identityOf = (
  request: Pick<typeof SignedRequest.Service, "method" | "target" | "contentType" | "body">
): string =>
  createHash("sha256")
    .update(JSON.stringify([request.method, request.target, request.contentType]))
    .update(Buffer.of(0))
    .update(request.body)
    .digest("hex")

/** The key of the request at hand; routes that need one have refused its absence before. */
export interface RequestKey {
  readonly accountId: string
  readonly principalId: string
  readonly key: string
  readonly identity: string
}

export const requestKey = Effect.gen(function* () {
  const actor = yield* Principal
  const request = yield* SignedRequest
  if (request.idempotencyKey === undefined) return yield* new IdempotencyRequired()
  const key: RequestKey = {
    accountId: actor.accountId,
    principalId: actor.id,
    key: request.idempotencyKey,
    identity: identityOf(request)
  }
  return key
})

export interface KeyRow {
  readonly identity: string
  readonly plan: string | null
  readonly step: number | null
  readonly subject: string | null
}

/** Of rows that hold something else too. */
export interface KeyColumns {
  readonly key_identity: string | null
  readonly key_plan: string | null
  readonly key_step: number | null
  readonly key_subject: string | null
}

export const KEY_COLUMNS =
  "k.identity AS key_identity, k.plan AS key_plan, k.step AS key_step, k.subject AS key_subject"

export const keyRowFrom = (row: KeyColumns | undefined): KeyRow | undefined =>
  row === undefined || row.key_identity === null
    ? undefined
    : { identity: row.key_identity, plan: row.key_plan, step: row.key_step, subject: row.key_subject }

interface Answer {
  readonly identity: string | null
  readonly plan: string | null
  readonly step: number | null
  readonly subject: string | null
  readonly millis: number
}

const LOOK_UP = `SELECT k.identity, k.plan, k.step, k.subject, unix_millis() AS millis
FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::text[])) WITH ORDINALITY AS q (account_id, principal, key, position)
LEFT JOIN accounts a ON a.id = q.account_id
LEFT JOIN idempotency_keys k ON k.account = a.number AND k.principal = q.principal AND k.key = q.key
ORDER BY q.position`
const LOOK_UP_BOUND = 256

export interface KeyOutcome {
  /** Undefined where the record is of no plan. */
  readonly planId: string | undefined
  readonly step: number | undefined
  /** Another record, of that plan or of none. */
  readonly subject: string | undefined
}

export interface LookedUp {
  readonly outcome: Option.Option<KeyOutcome>
  readonly millis: number
}

/** What a key leads to, by what is stored of it. */
export const outcomeOf = (key: RequestKey, row: KeyRow | undefined) => {
  if (row === undefined) return Effect.succeedNone
  return row.identity === key.identity
    ? Effect.succeedSome({
        planId: row.plan ?? undefined,
        step: row.step ?? undefined,
        subject: row.subject ?? undefined
      })
    : Effect.fail(new IdempotencyConflict())
}

/** What a request's shape and place alone are refused with. */
const OF_SHAPE = [400, 404, 413, 422]

const isOfShape = ({ _tag }: AnyRefusal): boolean => OF_SHAPE.includes(ProblemRegister[_tag].status)

export class Idempotency extends Context.Tag("auth/Idempotency")<
  Idempotency,
  {
    /** With the database's time, outside any transaction and in one round trip for all who ask together. */
    readonly lookUp: (key: RequestKey) => Effect.Effect<LookedUp, IdempotencyConflict | DatabaseUnavailable>
    readonly find: (
      key: RequestKey
    ) => Effect.Effect<Option.Option<KeyOutcome>, IdempotencyConflict | DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    Idempotency,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const lookUpAll = (keys: ReadonlyArray<RequestKey>) =>
        refusingSql(
          sql.unsafe<Answer>(LOOK_UP, [
            keys.map(({ accountId }) => accountId),
            keys.map(({ principalId }) => principalId),
            keys.map(({ key }) => key)
          ])
        )

      const gather = yield* batching(lookUpAll, LOOK_UP_BOUND)

      const lookUp = (key: RequestKey) =>
        Effect.flatMap(gather(key), ({ identity, plan, step, subject, millis }) =>
          Effect.map(
            outcomeOf(key, identity === null ? undefined : { identity, plan, step, subject }),
            (outcome): LookedUp => ({ outcome, millis })
          )
        )

      const find = Effect.fn("Idempotency.find")(function* (key: RequestKey) {
        const [row] = yield* sql<KeyRow>`SELECT k.identity, k.plan, k.step, k.subject FROM idempotency_keys k
          JOIN accounts a ON a.number = k.account
          WHERE a.id = ${key.accountId} AND k.principal = ${key.principalId} AND k.key = ${key.key}`
        return yield* outcomeOf(key, row)
      }, refusingSql)

      return { lookUp, find }
    })
  )
}

/** A key that names another request conflicts, whatever else is wrong with this one. */
export const unlessKeyNamesAnother = <A, R>(
  idempotency: typeof Idempotency.Service,
  work: Effect.Effect<A, AnyRefusal, R>
) =>
  Effect.catchIf(work, isOfShape, refusal =>
    Effect.flatMap(requestKey, idempotency.lookUp).pipe(
      Effect.catchTag("DATABASE_UNAVAILABLE", () => Effect.fail(refusal)),
      Effect.zipRight(Effect.fail(refusal))
    )
  )
