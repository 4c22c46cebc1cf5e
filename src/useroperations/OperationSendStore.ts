/** The SQL of sending user operations: one statement gives the right to send for good, one stores what became of it. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Schema } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { type ClaimRefusal, isClaimed } from "../dispatch/ClaimVerdict.ts"
import { CLAIM_ANSWERS, CLAIM_REFUSALS, OPERATION_REFUSALS } from "../dispatch/ClaimVerdicts.ts"
import type { JudgedDependencies } from "../dispatch/JudgedDependencies.ts"
import { keysFor } from "../plans/Storage.ts"
import { SmartAccountChanged } from "../smartaccounts/refusals.ts"
import { decoder } from "../values/Conforms.ts"
import { RandomIds } from "../values/RandomIds.ts"
import type { SignedOperation } from "./OperationSignatures.ts"
import {
  SessionNotActive,
  SessionObservationStale,
  SessionPlanNotAdmitted,
  UserOperationConflict,
  UserOperationExpired,
  UserOperationNonceReserved,
  UserOperationNotFound
} from "./refusals.ts"

const LEASE_MS = 60_000
/** Within which nothing is sent. */
const NO_LEASE_MS = 0
const UNJUDGED: JudgedDependencies = { revision: null, blockedBy: [] }
const FIRST_SWEEP_MS = 2_000

const CLAIM = `SELECT verdict, bound_to
FROM claim_user_operation(json_populate_record(NULL::send_request, $1::json))`
const STANDS = "SELECT sending_stands(json_populate_record(NULL::send_request, $1::json)) AS stands"
const SETTLE = "SELECT settle_operation($1::uuid, $2::uuid, $3)"

export interface SendRequest {
  readonly actor: Actor
  readonly key: RequestKey
  readonly operationId: string
  readonly signed: SignedOperation
}

/** The right to send, which nobody gets a second time. */
export interface SendToken {
  readonly operationId: string
  readonly token: string
}

/** Accepted: the bundler named the operation's own hash. */
export type SendOutcome = "accepted" | "unknown"

const Verdict = Schema.Struct({
  verdict: Schema.Literal(...CLAIM_ANSWERS, ...CLAIM_REFUSALS, ...OPERATION_REFUSALS),
  bound_to: Schema.NullOr(Schema.String)
})

const decodeVerdict = decoder(Verdict)

type Unasked = "NONCE_RESERVED" | "PLAN_EXPIRED" | "OWNER_APPROVAL_EXPIRED" | "SPONSORSHIP_CONFLICT"

type SendRefusal =
  | Exclude<ClaimRefusal, { readonly _tag: Unasked }>
  | UserOperationNotFound
  | UserOperationExpired
  | UserOperationConflict
  | UserOperationNonceReserved
  | SmartAccountChanged
  | SessionNotActive
  | SessionObservationStale
  | SessionPlanNotAdmitted

const KEY_BITS = 64n
/** As the statement of a claim says it. */
const OF_ANOTHER_ACCOUNT = "account"

const nonceReserved = (reason: string | null, { operation: { nonce } }: SignedOperation) => {
  if (reason !== OF_ANOTHER_ACCOUNT) return new UserOperationNonceReserved()
  const nonceKey = String(BigInt(nonce) >> KEY_BITS)
  return new UserOperationNonceReserved({
    detail: `The wallet is bound to another account too, whose operation has the nonce, and is proved dead: no other account gets it. The wallet's own call of the entry point's incrementNonce(${nonceKey}) uses it up.`,
    context: { reason, nonceKey }
  })
}

const claimedBy = (
  { verdict, bound_to }: typeof Verdict.Type,
  { signed }: SendRequest,
  blockedBy: ReadonlyArray<number>
): Effect.Effect<boolean, SendRefusal> => {
  switch (verdict) {
    case "USER_OPERATION_NOT_FOUND":
      return Effect.fail(new UserOperationNotFound())
    case "USER_OPERATION_EXPIRED":
      return Effect.fail(new UserOperationExpired())
    case "USER_OPERATION_CONFLICT":
      return Effect.fail(new UserOperationConflict())
    case "USER_OPERATION_NONCE_RESERVED":
      return Effect.fail(nonceReserved(bound_to, signed))
    case "SMART_ACCOUNT_CHANGED":
      return Effect.fail(new SmartAccountChanged({ context: { check: bound_to } }))
    case "SESSION_NOT_ACTIVE":
      return Effect.fail(new SessionNotActive({ context: { state: bound_to } }))
    case "SESSION_OBSERVATION_STALE":
      return Effect.fail(new SessionObservationStale())
    case "SESSION_PLAN_NOT_ADMITTED":
      return Effect.fail(new SessionPlanNotAdmitted())
    default:
      return Effect.catchTags(isClaimed({ verdict, bound_to }, blockedBy), {
        NONCE_RESERVED: Effect.die,
        PLAN_EXPIRED: Effect.die,
        OWNER_APPROVAL_EXPIRED: Effect.die,
        SPONSORSHIP_CONFLICT: Effect.die
      })
  }
}

const asked = (
  { actor, key, operationId, signed }: SendRequest,
  { revision, blockedBy }: JudgedDependencies,
  leaseMillis: number
) => ({
  account_id: actor.accountId,
  principal: actor.id,
  grant_id: actor.kind === "bot" ? actor.grantId : null,
  operation: operationId,
  key: key.key,
  identity: key.identity,
  keys_per_account: keysFor(actor),
  commitment: signed.commitment,
  signature: signed.operation.signature,
  judged_revision: revision,
  is_blocked: blockedBy.length > 0,
  lease_millis: leaseMillis,
  sweep_millis: FIRST_SWEEP_MS
})

export class OperationSendStore extends Context.Tag("useroperations/OperationSendStore")<
  OperationSendStore,
  {
    /** For one request, whose claim stands under it or not at all. */
    readonly newToken: (operationId: string) => Effect.Effect<SendToken>
    /** False where this very request has it already, by another token. */
    readonly claim: (
      request: SendRequest,
      token: SendToken,
      judged: JudgedDependencies
    ) => Effect.Effect<boolean, SendRefusal | DatabaseUnavailable>
    /** Of what its chain has already, whatever would keep it from being sent. */
    readonly claimExecuted: (
      request: SendRequest,
      token: SendToken
    ) => Effect.Effect<boolean, SendRefusal | DatabaseUnavailable>
    /** Whether the claim that nobody was told of was made, and the operation may leave still. */
    readonly stands: (request: SendRequest, token: SendToken) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Once: what is settled stays. */
    readonly settle: (token: SendToken, outcome: SendOutcome) => Effect.Effect<void, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    OperationSendStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ids = yield* RandomIds
      const claimed = Effect.fn("OperationSendStore.claim")(function* (
        request: SendRequest,
        { token }: SendToken,
        judged: JudgedDependencies,
        leaseMillis: number
      ) {
        const [row] = yield* refusingSql(
          sql.unsafe(CLAIM, [JSON.stringify({ ...asked(request, judged, leaseMillis), token })])
        )
        return yield* claimedBy(yield* Effect.orDie(decodeVerdict(row)), request, judged.blockedBy)
      })
      return {
        newToken: (operationId: string) => Effect.map(ids.uuid, token => ({ operationId, token })),
        claim: (request, token, judged) => claimed(request, token, judged, LEASE_MS),
        claimExecuted: (request, token) => claimed(request, token, UNJUDGED, NO_LEASE_MS),
        stands: (request, { token }) =>
          refusingSql(
            sql.unsafe<{ readonly stands: boolean }>(STANDS, [
              JSON.stringify({ ...asked(request, UNJUDGED, LEASE_MS), token })
            ])
          ).pipe(Effect.map(([row]) => row?.stands === true)),
        settle: ({ operationId, token }, outcome) =>
          sql
            .unsafe(SETTLE, [operationId, token, outcome])
            .pipe(refusingSql, Effect.asVoid, Effect.withSpan("OperationSendStore.settle"))
      }
    })
  )
}
