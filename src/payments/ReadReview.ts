/** Shows a review to the app that opened it, and to nobody else. */
import { Effect, Option } from "effect"
import { shownUserOperation } from "../useroperations/ShownUserOperation.ts"
import { UserOperationStore } from "../useroperations/UserOperationStore.ts"
import { type PaymentReview, REVIEW_VERSION } from "./PaymentReview.ts"
import { type AppCaller, callingApp } from "./Pilot.ts"
import type { StoredReview } from "./ReviewRow.ts"
import { ReviewStore } from "./ReviewStore.ts"
import { PaymentReviewNotFound } from "./refusals.ts"

const shownReview = (
  stored: StoredReview,
  operationState: PaymentReview["operationState"]
): PaymentReview => {
  const { id, state, issuer, accountId, planId, operationId, stepIndexes, payment } = stored
  const { operationCommitment, operationHash, createdAt, expiresAt, status } = stored
  const { digest, validAfter, validUntil } = stored.signed.signing
  return {
    ...{ id, version: REVIEW_VERSION, state, issuer, accountId },
    app: { origin: stored.origin, callbackUri: stored.callbackUri, grantId: stored.grantId },
    ...{ planId, operationId, operationCommitment, operationHash, stepIndexes, payment },
    signing: { digest, validAfter, validUntil },
    ...{ createdAt, expiresAt, status, operationState },
    decidedAt: stored.decidedAt ?? null,
    approval: stored.approval ?? null
  }
}

const ownReview = Effect.fnUntraced(function* ({ actor }: AppCaller, id: string) {
  const stored = Option.getOrUndefined(yield* (yield* ReviewStore).find(id))
  if (stored === undefined || stored.accountId !== actor.accountId || stored.grantId !== actor.grantId)
    return yield* new PaymentReviewNotFound()
  const operation = yield* (yield* UserOperationStore).find(stored.operationId, actor)
  return shownReview(stored, shownUserOperation(operation).state)
})

/** What a key leads to is stored with it, and for good. */
export const storedReview = Effect.fnUntraced(
  function* (caller: AppCaller, id: string) {
    return yield* ownReview(caller, id)
  },
  Effect.catchTags({ PAYMENT_REVIEW_NOT_FOUND: Effect.die, USER_OPERATION_NOT_FOUND: Effect.die })
)

export const reviewOf = Effect.fn("ReadReview.show")(
  function* (id: string) {
    return yield* ownReview(yield* callingApp, id)
  },
  Effect.catchTag("USER_OPERATION_NOT_FOUND", Effect.die)
)
