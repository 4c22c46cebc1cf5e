/** The codes of the payment pilot. */
import { entry } from "./ProblemEntry.ts"

export const walletPaymentProblems = {
  WALLET_PAYMENTS_UNAVAILABLE: entry(503, "No wallet payments are configured.", false),
  WALLET_APP_REQUIRED: entry(403, "The signer is not the bot of an app that this deployment knows."),
  PAYMENT_REVIEW_NOT_FOUND: entry(404, "There is no such payment review for this app."),
  PAYMENT_UNSUITABLE: entry(
    422,
    "The operation is not the one payment of a wallet that the pilot is for, or it is reviewed already; context.reason says what of it does not fit."
  ),
  PAYMENT_REVIEW_DECIDED: entry(
    409,
    "The review was approved or cancelled, which never changes; context.status says which."
  ),
  PAYMENT_REVIEW_EXPIRED: entry(409, "The time to decide the review is over; prepare another operation."),
  PAYMENT_ASSERTION_INVALID: entry(
    403,
    "The passkey's assertion is not the wallet's owner's over this very operation; context.check says what of it does not fit."
  ),
  WALLET_PAGE_REQUIRED: entry(
    403,
    "Only the review's own page, in a browser, may decide it: the Origin is not the service's, or Sec-Fetch-Site not same-origin."
  )
} as const
