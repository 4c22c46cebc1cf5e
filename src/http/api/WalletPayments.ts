import { HttpApiGroup } from "@effect/platform"
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import {
  Credential,
  NewCredential,
  PaymentReview,
  PaymentReviewId,
  ReviewState
} from "../../payments/PaymentReview.ts"
import { UserOperationId } from "../../useroperations/PublicUserOperation.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
import { declare } from "./Declare.ts"

export const createPaymentReview = declare({
  name: "createPaymentReview",
  method: "POST",
  at: "/api/v1/wallet/payment-reviews",
  access: signed({ scope: "plan", idempotency: "required" }),
  summary: "Have a wallet's owner decide a payment",
  description:
    "For the bot of a configured app, and its own prepared operation: at most two approvals, each of exactly what is paid or back to nothing, and one payment of a reviewed asset to a published terminal, by a wallet that its owner's key and one passkey own, either alone. Lead the owner to /wallet/payment-reviews/{id} at the service's origin; the page leads back to the app's callbackUri with review, state and iss. An operation has one review for good, which lives for five minutes at most. The same Idempotency-Key with the same request gives the stored review again.",
  body: strict({ operationId: UserOperationId, state: ReviewState }),
  success: PaymentReview,
  status: 201,
  problems: [
    "IDEMPOTENCY_REQUIRED",
    "IDEMPOTENCY_CONFLICT",
    "WALLET_PAYMENTS_UNAVAILABLE",
    "WALLET_APP_REQUIRED",
    "USER_OPERATION_NOT_FOUND",
    "PAYMENT_UNSUITABLE",
    "BINDING_NOT_FOUND",
    "MANIFEST_NOT_FOUND",
    "SMART_ACCOUNTS_UNAVAILABLE"
  ]
})

export const showPaymentReview = declare({
  name: "getPaymentReview",
  method: "GET",
  at: "/api/v1/wallet/payment-reviews/:id",
  access: signed({}),
  summary: "Show a payment review",
  description:
    "To the app that opened it. Once it is approved, approval has the operation's signature: submit it as any other.",
  path: strict({ id: PaymentReviewId }),
  success: PaymentReview,
  problems: ["WALLET_PAYMENTS_UNAVAILABLE", "WALLET_APP_REQUIRED", "PAYMENT_REVIEW_NOT_FOUND"]
})

export const createCredential = declare({
  name: "createCredential",
  method: "POST",
  at: "/api/v1/wallet/credentials",
  access: signed({ ownerOnly: true }),
  summary: "Name the passkey of a wallet",
  description:
    "Keeps which passkey the pages of payment reviews ask for, once the contract that owns the wallet by it has told the very key at the head of its chain. A wallet has one: another one takes its place.",
  body: NewCredential,
  success: Credential,
  status: 201,
  problems: [
    "WALLET_PAYMENTS_UNAVAILABLE",
    "PAYMENT_UNSUITABLE",
    "BINDING_NOT_FOUND",
    "MANIFEST_NOT_FOUND",
    "SMART_ACCOUNTS_UNAVAILABLE",
    "SMART_ACCOUNT_CHANGED",
    "SMART_ACCOUNT_UNSUPPORTED",
    "SMART_ACCOUNT_UNDEPLOYED",
    "BLOCK_UNAVAILABLE",
    ...CHAIN_PROBLEMS
  ]
})

export const WalletPaymentsGroup = HttpApiGroup.make("WalletPayments")
  .add(createPaymentReview)
  .add(showPaymentReview)
  .add(createCredential)
