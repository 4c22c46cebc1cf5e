import { Refusal } from "../values/Refusal.ts"

export class WalletPaymentsUnavailable extends Refusal("WALLET_PAYMENTS_UNAVAILABLE") {}
export class WalletAppRequired extends Refusal("WALLET_APP_REQUIRED") {}
export class PaymentReviewNotFound extends Refusal("PAYMENT_REVIEW_NOT_FOUND") {}
export class PaymentUnsuitable extends Refusal("PAYMENT_UNSUITABLE") {}
export class PaymentReviewDecided extends Refusal("PAYMENT_REVIEW_DECIDED") {}
export class PaymentReviewExpired extends Refusal("PAYMENT_REVIEW_EXPIRED") {}
export class PaymentAssertionInvalid extends Refusal("PAYMENT_ASSERTION_INVALID") {}
