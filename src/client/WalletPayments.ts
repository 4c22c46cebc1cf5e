/** Payments that an app has a wallet's owner decide by a passkey, on a page of the service. */
import type { NewCredential, PaymentReview } from "../payments/PaymentReview.ts"
import type { Caller, Keyed } from "./Caller.ts"
import { endpoints } from "./Endpoints.ts"
import { AlteredPlan } from "./Errors.ts"
import type { System } from "./System.ts"
import { lookUntil } from "./WatchPlan.ts"

const STATE_BYTES = 32
const LOOK_MILLIS = 2_000

/** 32 random bytes in base64url, which the app keeps until the owner comes back with it. */
const newState = ({ randomBytes }: System): string =>
  btoa(String.fromCharCode(...randomBytes(STATE_BYTES)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

export interface ReviewOptions extends Keyed {
  readonly state?: string
}

export interface ReviewWatch {
  readonly onProgress?: (review: PaymentReview) => void
  readonly signal?: AbortSignal | undefined
}

/** Whether a callback's address is the answer to this review: by its id, its state and its issuer. */
const isCallbackOf = (
  callback: string,
  review: Pick<PaymentReview, "id" | "state" | "issuer" | "app">
): boolean => {
  const { origin, pathname, searchParams } = new URL(callback)
  const registered = new URL(review.app.callbackUri)
  return (
    origin === registered.origin &&
    pathname === registered.pathname &&
    searchParams.get("review") === review.id &&
    searchParams.get("state") === review.state &&
    searchParams.get("iss") === review.issuer
  )
}

const checkReviewed = (review: PaymentReview, operationId: string, state: string): PaymentReview => {
  if (review.operationId !== operationId || review.state !== state)
    throw new AlteredPlan(review.planId, "it is of another operation or state", "review of the payment")
  return review
}

export interface PaymentMeans {
  readonly system: System
  readonly audience: () => Promise<string>
}

const showing = (caller: Caller, system: System) => {
  const show = (id: string, signal?: AbortSignal) =>
    caller.call(endpoints.getPaymentReview, { path: { id }, signal })
  return {
    /** As it is by now; approved, with the operation's signature. */
    show: (id: string) => show(id),
    /** Looks every two seconds until it is decided or its time is over. */
    watch: (id: string, { onProgress, signal }: ReviewWatch = {}) => {
      let seen: PaymentReview["status"] | undefined
      const isNews = (review: PaymentReview): boolean => {
        const isNew = review.status !== seen
        seen = review.status
        if (isNew) onProgress?.(review)
        return isNew
      }
      const isOver = ({ status }: PaymentReview) => status !== "pending"
      return lookUntil(
        { look: () => show(id, signal), isNews, isOver, pauseOf: () => LOOK_MILLIS },
        system,
        signal
      )
    }
  }
}

export const walletPaymentMethods = (caller: Caller, { system, audience }: PaymentMeans) => ({
  walletPayments: {
    /** Opens the review of the app's own prepared operation; lead the owner to `page`. The same key, with its state, gives the stored one again. */
    review: async (operationId: string, { state = newState(system), ...options }: ReviewOptions = {}) => {
      const body = { operationId, state }
      const answer = await caller.keyed(endpoints.createPaymentReview, system, options, { body })
      const review = checkReviewed(answer.body, operationId, state)
      const page = new URL(`/wallet/payment-reviews/${review.id}`, await audience()).href
      return { review, page, ...answer.told }
    },
    ...showing(caller, system),
    /** Whether the owner came back with the answer to this very review; `show` tells which. */
    isCallbackOf,
    /** For the account's owner: the passkey of a bound wallet. */
    registerCredential: (body: NewCredential) => caller.call(endpoints.createCredential, { body })
  }
})
