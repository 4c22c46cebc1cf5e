/** The SQL of admission: one statement locks account and plan, rechecks everything on the database's clock and binds for good, or leaves nothing behind. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Option } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import type { Approval } from "../auth/OwnerApproval.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import type { Call } from "../plans/Plan.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { blockersOf } from "../plans/Step.ts"
import { keysFor } from "../plans/Storage.ts"
import { decoder } from "../values/Conforms.ts"
import { RandomIds } from "../values/RandomIds.ts"
import { APPROVAL_WINDOW } from "../values/TypedData.ts"
import { type ClaimRefusal, ClaimVerdict, isClaimed } from "./ClaimVerdict.ts"
import type { LeaseToken } from "./DispatchLease.ts"
import type { Bound } from "./Transport.ts"

const LEASE_MS = 30_000
const FIRST_SWEEP_MS = 2_000

const CLAIM = `SELECT verdict, bound_to
FROM claim_dispatch(json_populate_record(NULL::dispatch_request, $1::json))`

/** Who gives which key to a request for which plan. */
export interface KeyedRequest {
  readonly actor: Actor
  readonly key: RequestKey
  readonly planId: string
}

export interface Submission extends KeyedRequest {
  readonly step: number
  readonly call: Call
  readonly bound: Bound
  /** How often the step had been claimed before the chain was asked about it. */
  readonly claimsSeen: number
}

export type ClaimFailure = ClaimRefusal | DatabaseUnavailable

const decodeVerdict = decoder(ClaimVerdict)

const keyed = ({ actor, key, planId }: KeyedRequest) => ({
  account_id: actor.accountId,
  principal: actor.id,
  grant_id: actor.kind === "bot" ? actor.grantId : null,
  plan: planId,
  key: key.key,
  identity: key.identity,
  keys_per_account: keysFor(actor)
})

/** A call that depends on nothing is blocked by nothing, whatever becomes of the plan meanwhile. */
const judged = (call: Call, plan: StoredPlan, blockedBy: ReadonlyArray<number>) => ({
  judged_revision: call.dependsOn.length === 0 ? null : plan.revision,
  is_blocked: blockedBy.length > 0
})

const consented = ({ form, signer, issuedAt, expiresAt, nonce }: Approval) => ({
  approval_form: form,
  approval_signer: signer,
  approval_issued_at: issuedAt,
  approval_expires_at: expiresAt,
  approval_nonce: nonce,
  future_allowance_seconds: APPROVAL_WINDOW.futureAllowanceSeconds
})

const bindingOf = (submission: Submission, bindingId: string, token: string) => {
  const { hash, transport, nonce, kept } = submission.bound
  return {
    ...kept,
    ...keyed(submission),
    step: submission.step,
    hash,
    transport,
    binding_id: bindingId,
    nonce_scope: nonce.scope,
    nonce_text: nonce.text,
    token,
    lease_millis: LEASE_MS,
    sweep_millis: FIRST_SWEEP_MS
  }
}

export class ClaimStore extends Context.Tag("dispatch/ClaimStore")<
  ClaimStore,
  {
    /** Claims the right to broadcast; none when another claim has it or had it. Refuses as concurrent where the plan is not as given. */
    readonly dispatch: (
      submission: Submission,
      approval: Approval,
      plan: StoredPlan
    ) => Effect.Effect<Option.Option<LeaseToken>, ClaimFailure>
    /** Binds what its chain knows already; what a living or a settled claim says of it stays. */
    readonly observe: (submission: Submission) => Effect.Effect<void, ClaimFailure>
    /** Gives one more key the outcome of an admitted step. */
    readonly repeat: (submission: Submission) => Effect.Effect<void, ClaimFailure>
    readonly openBundle: (bundle: KeyedRequest) => Effect.Effect<void, ClaimFailure>
  }
>() {
  static readonly layer = Layer.effect(
    ClaimStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ids = yield* RandomIds

      const ask = (request: object, blockedBy: ReadonlyArray<number> = []) =>
        sql.unsafe(CLAIM, [JSON.stringify(request)]).pipe(
          refusingSql,
          Effect.flatMap(([row]) => Effect.orDie(decodeVerdict(row))),
          Effect.flatMap(verdict => isClaimed(verdict, blockedBy))
        )

      const bound = (submission: Submission) =>
        Effect.zipWith(ids.uuid, ids.uuid, (bindingId, token) => bindingOf(submission, bindingId, token))

      const dispatch = Effect.fnUntraced(function* (
        submission: Submission,
        approval: Approval,
        plan: StoredPlan
      ) {
        const { call, claimsSeen, planId, step } = submission
        const blockedBy = blockersOf(call, plan.terms.calls, plan.facts)
        const request = {
          purpose: "dispatch",
          ...(yield* bound(submission)),
          ...judged(call, plan, blockedBy),
          ...consented(approval),
          claims_seen: claimsSeen
        }
        const lease: LeaseToken = { planId, step, token: request.token }
        return (yield* ask(request, blockedBy)) ? Option.some(lease) : Option.none()
      })

      return {
        dispatch,
        observe: submission =>
          Effect.flatMap(bound(submission), request =>
            Effect.asVoid(ask({ purpose: "observe", ...request }))
          ),
        repeat: submission =>
          Effect.asVoid(ask({ purpose: "repeat", ...keyed(submission), step: submission.step })),
        openBundle: bundle => Effect.asVoid(ask({ purpose: "bundle", ...keyed(bundle) }))
      }
    })
  )
}
