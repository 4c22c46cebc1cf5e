/** What the claim's statement answers, and the refusals its verdicts stand for. */
import { Effect, Schema } from "effect"
import { AccountNotFound, Forbidden, StorageLimit } from "../accounts/refusals.ts"
import { IdempotencyConflict, OwnerApprovalExpired } from "../auth/refusals.ts"
import { ConcurrentUpdate, DependenciesUnconfirmed, PlanExpired, PlanNotFound } from "../plans/refusals.ts"
import { stepAlreadyBound } from "./BoundStep.ts"
import { CLAIM_ANSWERS, CLAIM_REFUSALS } from "./ClaimVerdicts.ts"
import {
  NonceReserved,
  PAID_PERHAPS,
  SponsorshipConflict,
  type StepAlreadyBound,
  TransportConflict
} from "./refusals.ts"

export const ClaimVerdict = Schema.Struct({
  verdict: Schema.Literal(...CLAIM_ANSWERS, ...CLAIM_REFUSALS),
  bound_to: Schema.NullOr(Schema.String)
})
export type ClaimVerdict = typeof ClaimVerdict.Type

export type ClaimRefusal =
  | AccountNotFound
  | PlanNotFound
  | ConcurrentUpdate
  | Forbidden
  | TransportConflict
  | StepAlreadyBound
  | NonceReserved
  | OwnerApprovalExpired
  | PlanExpired
  | DependenciesUnconfirmed
  | IdempotencyConflict
  | StorageLimit
  | SponsorshipConflict

const NEEDLESS =
  "A request that this plan pays for was executed already, or can be executed no more: nothing is paid for it."

const NOT_PROVED =
  "What the provider asks for was proved when this plan was prepared, and is proved no more: nothing is paid for it meanwhile."

/** In place of a plan. */
const BEFORE_RESTORATION = "restored"
const UNPROVED = "unproved"

/** Of another plan that pays, where there is one. */
const sponsorshipConflict = (planId: string | null) => {
  if (planId === BEFORE_RESTORATION) return new SponsorshipConflict({ detail: PAID_PERHAPS })
  if (planId === UNPROVED) return new SponsorshipConflict({ detail: NOT_PROVED })
  return new SponsorshipConflict(planId ? { context: { planId } } : { detail: NEEDLESS })
}

const refusalOf = (
  verdict: (typeof CLAIM_REFUSALS)[number],
  boundTo: string | null,
  blockedBy: ReadonlyArray<number>
): ClaimRefusal => {
  switch (verdict) {
    case "ACCOUNT_NOT_FOUND":
      return new AccountNotFound()
    case "PLAN_NOT_FOUND":
      return new PlanNotFound()
    case "CONCURRENT_UPDATE":
      return new ConcurrentUpdate()
    case "FORBIDDEN":
      return new Forbidden()
    case "TRANSPORT_CONFLICT":
      return new TransportConflict({ context: { transport: boundTo } })
    case "STEP_ALREADY_BOUND":
      return stepAlreadyBound(boundTo)
    case "NONCE_RESERVED":
      return new NonceReserved()
    case "OWNER_APPROVAL_EXPIRED":
      return new OwnerApprovalExpired()
    case "PLAN_EXPIRED":
      return new PlanExpired()
    case "DEPENDENCIES_UNCONFIRMED":
      return new DependenciesUnconfirmed({ context: { blockedBy } })
    case "IDEMPOTENCY_CONFLICT":
      return new IdempotencyConflict()
    case "STORAGE_LIMIT":
      return new StorageLimit({
        context: { limit: "idempotency keys" },
        retryable: false,
        retryAfterSeconds: 3600
      })
    case "SPONSORSHIP_CONFLICT":
      return sponsorshipConflict(boundTo)
  }
}

/** Whether the caller may send. */
export const isClaimed = (
  { verdict, bound_to }: ClaimVerdict,
  blockedBy: ReadonlyArray<number>
): Effect.Effect<boolean, ClaimRefusal> =>
  verdict === "CLAIMED" || verdict === "RECORDED"
    ? Effect.succeed(verdict === "CLAIMED")
    : Effect.fail(refusalOf(verdict, bound_to, blockedBy))
