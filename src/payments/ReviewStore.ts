/** The SQL of payment reviews. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import { AccountNotFound, Forbidden, type ServiceBusy, StorageLimit } from "../accounts/refusals.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import { IdempotencyConflict } from "../auth/refusals.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { keysFor } from "../plans/Storage.ts"
import { UserOperationNotFound } from "../useroperations/refusals.ts"
import { decoder } from "../values/Conforms.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import { REVIEW_SECONDS } from "./PaymentReview.ts"
import type { AppCaller } from "./Pilot.ts"
import { type ReviewTerms, reviewFromRow, type StoredReview } from "./ReviewRow.ts"
import { PaymentUnsuitable } from "./refusals.ts"

const FIND = `SELECT r.*, a.id AS account_id, g.bot_address, g.revoked_at, o.plan, o.steps, o.chain_id, o.binding, o.commitment,
  o.operation_hash, o.terms AS operation_terms, o.maximum_cost::text AS maximum_cost, o.claimed,
  EXISTS (SELECT FROM restorations s WHERE s.restored_at >= r.created_at) AS is_restored, unix_millis() AS now
FROM payment_reviews r JOIN accounts a ON a.number = r.account JOIN bot_grants g ON g.id = r.grant_id
JOIN user_operations o ON o.id = r.operation WHERE r.id = $1::uuid`

const STORE = `SELECT verdict, review FROM store_payment_review($1, $2, $3, $4,
  json_populate_record(NULL::payment_reviews, $5::json), ${1_000 * REVIEW_SECONDS}, $6)`

const DECIDE = "SELECT decide_payment_review($1::uuid, $2, $3, $4, $5) AS verdict"

export interface NewReview {
  readonly id: string
  readonly operationId: string
  readonly state: string
  readonly terms: ReviewTerms
}

const Stored = Schema.Struct({
  verdict: Schema.Literal(
    "STORED",
    "TWIN",
    "ACCOUNT_NOT_FOUND",
    "FORBIDDEN",
    "IDEMPOTENCY_CONFLICT",
    "OPERATION_NOT_FOUND",
    "OPERATION_SENT",
    "OPERATION_EXPIRED",
    "REVIEWED",
    "KEYS_LIMIT"
  ),
  review: Schema.NullOr(Schema.String)
})

const decodeStored = decoder(Stored)

type StoreRefusal =
  | AccountNotFound
  | Forbidden
  | IdempotencyConflict
  | UserOperationNotFound
  | PaymentUnsuitable
  | StorageLimit
  | ServiceBusy
  | DatabaseUnavailable

const unsuitable = (reason: string) => Effect.fail(new PaymentUnsuitable({ context: { reason } }))

const storedUnder = ({ verdict, review }: typeof Stored.Type): Effect.Effect<string, StoreRefusal> => {
  switch (verdict) {
    case "STORED":
    case "TWIN":
      return review === null ? Effect.dieMessage("a stored review has no id") : Effect.succeed(review)
    case "ACCOUNT_NOT_FOUND":
      return Effect.fail(new AccountNotFound())
    case "FORBIDDEN":
      return Effect.fail(new Forbidden())
    case "IDEMPOTENCY_CONFLICT":
      return Effect.fail(new IdempotencyConflict())
    case "OPERATION_NOT_FOUND":
      return Effect.fail(new UserOperationNotFound())
    case "OPERATION_SENT":
      return unsuitable("sent")
    case "OPERATION_EXPIRED":
      return unsuitable("expired")
    case "REVIEWED":
      return unsuitable("reviewed")
    case "KEYS_LIMIT":
      return Effect.fail(
        new StorageLimit({
          context: { limit: "idempotency keys" },
          retryable: false,
          retryAfterSeconds: 3600
        })
      )
  }
}

/** What an owner signed, by which passkey, and what that counted to. */
export interface OwnersApproval {
  readonly credentialId: string
  readonly counter: number
  readonly signature: Hex
  readonly signedCommitment: Bytes32
}

const DecisionRow = Schema.Struct({
  verdict: Schema.Literal(
    "STORED",
    "NOT_FOUND",
    "APPROVED",
    "CANCELLED",
    "EXPIRED",
    "SENT",
    "UNBOUND",
    "COUNTER"
  )
})

export type DecisionVerdict = (typeof DecisionRow.Type)["verdict"]

const decodeDecision = decoder(DecisionRow)

const rowOf = ({ actor }: AppCaller, { id, operationId, state, terms }: NewReview): string =>
  JSON.stringify({ id, grant_id: actor.grantId, operation: operationId, state, terms })

export class ReviewStore extends Context.Tag("payments/ReviewStore")<
  ReviewStore,
  {
    /** The id of the review that the key leads to: the given one, or its faster twin. */
    readonly store: (
      caller: AppCaller,
      key: RequestKey,
      asked: NewReview
    ) => Effect.Effect<string, StoreRefusal>
    readonly find: (id: string) => Effect.Effect<Option.Option<StoredReview>, DatabaseUnavailable>
    /** Cancelled without an approval. */
    readonly decide: (
      review: StoredReview,
      approval: Option.Option<OwnersApproval>
    ) => Effect.Effect<DecisionVerdict, ServiceBusy | DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ReviewStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const actors = yield* AccountActors

      const store = ({ actor, ...caller }: AppCaller, { key, identity }: RequestKey, asked: NewReview) =>
        sql
          .unsafe(STORE, [
            actor.accountId,
            actor.id,
            key,
            identity,
            rowOf({ actor, ...caller }, asked),
            keysFor(actor)
          ])
          .pipe(
            refusingSql,
            Effect.flatMap(([row]) => Effect.orDie(decodeStored(row)))
          )

      const decide = (id: string, approval: OwnersApproval | undefined) =>
        sql
          .unsafe(DECIDE, [
            id,
            approval?.credentialId ?? null,
            approval?.counter ?? null,
            approval?.signature ?? null,
            approval?.signedCommitment ?? null
          ])
          .pipe(
            refusingSql,
            Effect.flatMap(([row]) => Effect.orDie(decodeDecision(row))),
            Effect.map(({ verdict }) => verdict)
          )

      return {
        store: (caller, key, asked) =>
          Effect.flatMap(actors.run(caller.actor.accountId, store(caller, key, asked)), storedUnder),
        find: Effect.fn("ReviewStore.find")(function* (id: string) {
          const [row] = yield* sql.unsafe(FIND, [id])
          return row === undefined ? Option.none() : Option.some(yield* reviewFromRow(row))
        }, refusingSql),
        decide: ({ id, accountId }, approval) =>
          actors.run(accountId, decide(id, Option.getOrUndefined(approval)))
      }
    })
  )
}
