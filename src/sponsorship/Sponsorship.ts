/** The sponsorship record as clients see it: the requests that the owner signs so that somebody else may pay their gas. */
import { Schema } from "effect"
import {
  ExecutionProof,
  ExternalState,
  MAXIMUM_CALLS,
  Semantic,
  StepIndex,
  StepState,
  StoredReceipt
} from "../plans/Plan.ts"
import { Evidence } from "../values/Evidence.ts"
import { ForwarderDomain, ForwardRequest } from "../values/ForwardRequestShape.ts"
import {
  Address,
  Bytes32,
  ChainId,
  Hex,
  PlanId,
  Uint256,
  UnixMillis,
  UnixSeconds
} from "../values/Scalars.ts"
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
  kind: Schema.Literal("sign", "submit", "fund", "wait", "prepare-again", "none"),
  retryAfterMs: exactOptional(Schema.Positive.pipe(Schema.int())),
  reason: exactOptional(Schema.String)
}).annotations({
  identifier: "NextAction",
  description:
    "What brings it on. sign: sign the requests and publish them. fund: prepare a funding plan. submit: send the funding plan's transaction. wait: look again, with refresh=true, after retryAfterMs. prepare-again: nothing more comes of it, and what is left needs a new plan."
})
export type NextAction = typeof NextAction.Type

const Submitted = strict({
  hash: Bytes32,
  startedAt: UnixMillis,
  repeatPublicationAllowed: Schema.Literal(false)
}).annotations({ identifier: "SponsorshipSubmission" })

/** What differs from what was published or is pinned, or who did not answer. */
export const QuoteDoubt = Schema.Literal(
  "provider-unreachable",
  "provider-answer",
  "bundle-unknown",
  "bundle-id",
  "transaction-ids",
  "request",
  "payment-chain",
  "payment-target",
  "payment-code",
  "payment-token",
  "payment-calldata",
  "payment-amount",
  "payment-bound",
  "payment-deadline",
  "chain-unreachable"
).annotations({ identifier: "QuoteDoubt" })
export type QuoteDoubt = typeof QuoteDoubt.Type

export const QuotedPayment = strict({
  chainId: ChainId,
  to: checksummed,
  data: Hex,
  value: Uint256,
  deadline: UnixSeconds
}).annotations({
  identifier: "QuotedPayment",
  description: "A call that pays for the whole bundle, before its deadline; any one of them is enough."
})
export type QuotedPayment = typeof QuotedPayment.Type

export const QuotedTransaction = strict({
  transactionId: PlanId.annotations({
    identifier: "TransactionId",
    description: "the provider's name for a request"
  }),
  stepIndex: StepIndex,
  chainId: ChainId,
  outerCallHash: Bytes32
}).annotations({
  identifier: "QuotedTransaction",
  description:
    "Which request the provider's id names: bound by the bytes of the forwarder's call, whose Keccak-256 is outerCallHash."
})
export type QuotedTransaction = typeof QuotedTransaction.Type

const ShownQuote = strict({
  bundleId: PlanId.annotations({ identifier: "BundleId", description: "the provider's name for the bundle" }),
  commitment: exactOptional(Bytes32),
  observedAt: UnixMillis,
  runtimeVerified: Schema.Boolean,
  payments: Schema.Array(QuotedPayment),
  transactions: Schema.Array(QuotedTransaction),
  reason: exactOptional(QuoteDoubt)
}).annotations({
  identifier: "SponsorshipQuote",
  description:
    "What the provider answered at observedAt. Its payments are shown only while runtimeVerified: while its bundle holds exactly our requests and each payment is this bundle's, to the pinned payment contract; reason says why they are not. commitment is there once the requests are bound, and never changes: 0x and the SHA-256 of the canonical JSON of {sponsorshipId, submissionHash, bundleId, payments, transactions}."
})

const Observation = strict({
  stepIndex: StepIndex,
  chainId: ChainId,
  providerState: Schema.NullOr(Schema.String.pipe(Schema.maxLength(64))),
  state: ExternalState,
  hash: exactOptional(Bytes32),
  receipt: exactOptional(StoredReceipt),
  semantic: exactOptional(Semantic),
  proof: exactOptional(ExecutionProof.pipe(Schema.pickLiteral("direct", "batched", "traced"))),
  reason: exactOptional(Schema.String)
}).annotations({
  identifier: "SponsorshipObservation",
  description:
    "What became of a published request, by its chain alone, whoever had it executed; providerState is the provider's word and decides nothing. hash and receipt are of the transaction around it. proof: that transaction is the forwarder's execute of this request, a batch that holds it once, or a trace shows it. Without proof nothing of it is verified, and reason says why. reverted without proof: the transaction around it failed, and another may still execute it."
})
export type SponsorshipObservation = typeof Observation.Type

const Funding = strict({ planId: PlanId, chainId: ChainId, state: StepState }).annotations({
  identifier: "SponsorshipFunding",
  description:
    "The plan that pays, where one is open or was admitted, and the state of its one step. That it is paid is not yet execution."
})

export const EconomicCompletion = Schema.Literal("pending", "verified", "unproved", "incomplete").annotations(
  {
    identifier: "EconomicCompletion",
    description:
      "What is known of the planned effects, on the calls' own chains. pending: they may still come about. verified: each is proved. unproved: every call was executed, and not every effect is proved. incomplete: by this sponsorship they do not all come about."
  }
)
export type EconomicCompletion = typeof EconomicCompletion.Type

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
  observations: Schema.Array(Observation).pipe(Schema.maxItems(MAXIMUM_CALLS)),
  funding: exactOptional(Funding),
  recovery: exactOptional(Schema.String),
  nextAction: NextAction,
  atomicAcrossChains: Schema.Literal(false),
  economicCompletion: EconomicCompletion
}).annotations({
  identifier: "Sponsorship",
  description:
    "Requests that were prepared for a plan's steps, one for each, to be executed by the chains' forwarders at another's cost. Nothing is reserved by preparing them. The commitment is 0x and the SHA-256 of the canonical JSON of {kind: \"forwarder-prepaid-erc2771\", accountId, principalId, planId, planCommitment, authorizations, publicationExpiresAt}, where each authorization is {stepIndex, chainId, forwarder, forwarderCodeHash, targetCodeHash, domain, message, evidence}; compute it anew before anything is signed."
})
export type Sponsorship = typeof Sponsorship.Type
