/** The sponsorship record as clients see it: the requests that the owner signs so that somebody else may pay their gas. */
import { Schema } from "effect"
import { MAXIMUM_CALLS, StepIndex } from "../plans/Plan.ts"
import { Evidence } from "../values/Evidence.ts"
import { ForwarderDomain, ForwardRequest } from "../values/ForwardRequest.ts"
import { Address, Bytes32, ChainId, PlanId, UnixMillis } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"

export const SponsorshipId = PlanId.annotations({
  identifier: "SponsorshipId",
  description: "a lower-case UUID"
})

export const MAXIMUM_SPONSORSHIP_BYTES = 524_288

const checksummed = Schema.typeSchema(Address)
const exactOptional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** What is committed to of each request. */
export const Authorization = strict({
  stepIndex: StepIndex,
  chainId: ChainId,
  forwarder: checksummed,
  forwarderCodeHash: Bytes32,
  targetCodeHash: Bytes32,
  domain: ForwarderDomain,
  message: ForwardRequest,
  evidence: Evidence
}).annotations({ identifier: "SponsoredRequest" })
export type Authorization = typeof Authorization.Type

const Member = strict({ name: Schema.String, type: Schema.String })

const ShownAuthorization = strict({
  ...Authorization.fields,
  types: strict({ ForwardRequest: Schema.Array(Member) }),
  primaryType: Schema.Literal("ForwardRequest"),
  digest: Bytes32
}).annotations({
  identifier: "ForwardAuthorization",
  description:
    "One request for the wallet to sign as EIP-712 typed data: domain, types, primaryType and message, whose digest this is. The signature is 65 bytes with v 27 or 28 and a low s."
})

export const SponsorshipStatus = Schema.Literal(
  "completed",
  "execution_verified",
  "failed",
  "lapsed",
  "executing",
  "prepared",
  "expired",
  "submitting",
  "submission_unknown",
  "quote_unverified",
  "funding_quote_available",
  "quote_expired"
)
export type SponsorshipStatus = typeof SponsorshipStatus.Type

const NextAction = strict({
  kind: Schema.Literal("sign", "fund", "wait", "prepare-again", "none"),
  reason: exactOptional(Schema.String)
}).annotations({ identifier: "NextAction" })
export type NextAction = typeof NextAction.Type

const Submitted = strict({
  hash: Bytes32,
  startedAt: UnixMillis,
  repeatPublicationAllowed: Schema.Literal(false)
}).annotations({ identifier: "SponsorshipSubmission" })

const ShownQuote = strict({
  bundleId: PlanId.annotations({ identifier: "BundleId", description: "the provider's name for the bundle" }),
  observedAt: UnixMillis,
  runtimeVerified: Schema.Literal(false)
}).annotations({
  identifier: "SponsorshipQuote",
  description: "That the provider answered; what it asks for is not shown before it is proved."
})

export const Sponsorship = strict({
  id: SponsorshipId,
  planId: PlanId,
  planCommitment: Bytes32,
  commitment: Bytes32,
  state: SponsorshipStatus,
  createdAt: UnixMillis,
  publicationExpiresAt: UnixMillis,
  revision: Schema.NonNegativeInt,
  authorizations: Schema.Array(ShownAuthorization).pipe(Schema.maxItems(MAXIMUM_CALLS)),
  submission: exactOptional(Submitted),
  quote: exactOptional(ShownQuote),
  recovery: exactOptional(Schema.String),
  nextAction: NextAction,
  atomicAcrossChains: Schema.Literal(false)
}).annotations({
  identifier: "Sponsorship",
  description:
    "Requests that were prepared for a plan's steps, one for each, to be executed by the chains' forwarders at another's cost. Nothing is reserved by preparing them. The commitment is 0x and the SHA-256 of the canonical JSON of {kind: \"forwarder-prepaid-erc2771\", accountId, principalId, planId, planCommitment, authorizations, publicationExpiresAt}, where each authorization is {stepIndex, chainId, forwarder, forwarderCodeHash, targetCodeHash, domain, message, evidence}; compute it anew before anything is signed."
})
export type Sponsorship = typeof Sponsorship.Type
