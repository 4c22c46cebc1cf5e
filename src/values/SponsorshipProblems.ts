/** The codes of sponsorships. */
import { entry } from "./ProblemEntry.ts"

export const sponsorshipProblems = {
  SPONSORSHIP_UNAVAILABLE: entry(503, "No prepaid provider is configured.", false),
  SPONSORSHIP_NOT_FOUND: entry(404, "There is no such sponsorship for this principal."),
  SPONSORSHIP_CHAIN_UNAVAILABLE: entry(
    422,
    "The chain's node cannot judge these calls together; sponsor one step of the chain at a time."
  ),
  FORWARDER_UNAVAILABLE: entry(422, "The chain has not exactly one forwarder in use."),
  FORWARDER_UNVERIFIED: entry(
    422,
    "The chain's forwarder is not the pinned one; context.check says what differs."
  ),
  FORWARDER_TARGET_UNTRUSTED: entry(
    422,
    "The called contract does not trust the chain's forwarder: it would take the forwarder for the sender. The wallet's own transaction can call it."
  ),
  FORWARDER_ACCOUNT_UNSUPPORTED: entry(
    422,
    "The wallet has code on this chain, while a forwarder takes the signature of a key alone."
  ),
  FORWARD_GAS_BOUND: entry(422, "A call needs more gas than a forward request may carry.")
} as const
