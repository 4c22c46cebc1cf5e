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
  SPONSORSHIP_EXPIRED: entry(409, "The sponsorship's plan expired before it was published; prepare again."),
  SPONSORSHIP_CONFLICT: entry(
    409,
    "The sponsorship was published by another request: nothing of it is ever published again."
  ),
  INVALID_FORWARD_SIGNATURE: entry(
    400,
    "There is not one signature for each request, or one is not 65 bytes with v 27 or 28 and a low s."
  ),
  FORWARD_SIGNATURE_MISMATCH: entry(
    403,
    "A signature is not the wallet's of its request; context.stepIndex says which."
  ),
  FORWARD_REQUEST_CHANGED: entry(
    409,
    "What a request rests on is not as it was prepared; context.check says what. Prepare again."
  ),
  FORWARD_REQUEST_EXPIRED: entry(409, "A request's deadline is over, or half a minute away."),
  FORWARD_NONCE_RESERVED: entry(
    409,
    "A nonce of the wallet at the forwarder belongs to a request that was published before."
  ),
  DISPATCH_PERSISTENCE_UNCERTAIN: entry(
    503,
    "The requests left perhaps, and what became of them could not be stored; look at the sponsorship."
  ),
  FORWARD_GAS_BOUND: entry(422, "A call needs more gas than a forward request may carry.")
} as const
