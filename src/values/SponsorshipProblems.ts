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
    "Another request published the sponsorship, or pays for it already: neither is ever done again."
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
    "What was signed left perhaps, and what became of it could not be stored; look at its record."
  ),
  FORWARD_GAS_BOUND: entry(422, "A call needs more gas than a forward request may carry."),
  QUOTE_UNAVAILABLE: entry(
    409,
    "There is nothing to pay for: the provider has not answered, or what was published has ended."
  ),
  QUOTE_EXPIRED: entry(409, "The time to pay is over, or half a minute away."),
  QUOTE_UNVERIFIED: entry(
    422,
    "What the provider asks for is not proved to be for this bundle; context.reason says why. Nothing is paid by it."
  ),
  QUOTE_OUTLIVES_AUTHORIZATION: entry(
    422,
    "The provider takes payments until later than half a minute before the first request's deadline."
  ),
  FUNDING_BOUND: entry(422, "The provider asks for more than one payment may be."),
  FUNDING_CHAIN_UNAVAILABLE: entry(
    422,
    "The provider takes no payment on this chain; context.chains names those."
  ),
  FUNDING_PAYER_MISMATCH: entry(403, "Only the owner's own wallet pays for a sponsorship."),
  PROVIDER_UNAVAILABLE: entry(502, "The prepaid provider cannot be reached.", true),
  PROVIDER_TIMEOUT: entry(504, "The prepaid provider did not answer in time.", true),
  PROVIDER_INVALID_RESPONSE: entry(502, "The prepaid provider's answer cannot be read.", true)
} as const
