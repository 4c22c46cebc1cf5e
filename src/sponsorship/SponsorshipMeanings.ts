/** What is said to people of a sponsorship's states, and of what keeps a quote from being proved. */
import type { QuoteDoubt, SponsorshipStatus } from "./Sponsorship.ts"

export const stateMeanings: Readonly<Record<SponsorshipStatus, string>> = {
  prepared:
    "Sign the requests, then hand them in: the provider gets them once, and they cannot be called back before they end.",
  expired:
    "Nothing more comes of it: it was not handed in before its plan ended. What is left needs a new plan.",
  submitting: "The requests are on their way to the provider.",
  submission_unknown:
    "Whether the provider took the requests is not known. They are never sent again; if they are executed, their chain shows it.",
  quote_unverified:
    "The provider has the requests. What it asks for is shown once it is proved to be for these requests and for the known payment contract.",
  funding_quote_available:
    "Pay, and the provider executes the requests. That it is paid is not yet execution, and nothing is refunded here.",
  quote_expired:
    "The provider's offer is over. What was paid for in time may still be executed until the requests end.",
  executing: "The requests are being executed; what their chain shows of it is proved here.",
  execution_verified: "All requests were executed; not every effect of theirs is proved.",
  completed: "All requests were executed, and what they were to change is proved.",
  failed: "A request was executed, and its call failed for good.",
  lapsed: "What was not executed never can be any more. What is left needs a new plan."
}

export const doubtMeanings: Readonly<Record<QuoteDoubt, string>> = {
  "provider-unreachable": "The provider does not answer. It is asked again.",
  "provider-answer": "The provider's answer cannot be read. It is asked again.",
  "bundle-unknown": "The provider does not know the bundle that it named itself.",
  "bundle-id": "The provider's answer names another bundle.",
  "transaction-ids":
    "The bundle's requests have other names than when they were published, or than when they were proved.",
  request: "The bundle does not hold exactly the requests that were published.",
  "payment-chain": "It is to be paid on a chain that has no known payment contract, or on one chain twice.",
  "payment-target": "It is to be paid to another contract than the known one.",
  "payment-code": "The payment contract has another code than the known one.",
  "payment-token": "It is to be paid in a token.",
  "payment-calldata": "The payment is not the call that pays for this bundle.",
  "payment-amount": "The payment is of nothing.",
  "payment-bound": "It asks for more than one payment may be.",
  "payment-deadline": "It takes payments until later than half a minute before the first request ends.",
  "chain-unreachable": "The payment contract's code could not be read. It is looked at again."
}
