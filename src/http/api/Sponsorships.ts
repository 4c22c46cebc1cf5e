import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { SponsorshipApprovalBody } from "../../auth/ApprovalBody.ts"
import { IntegerParameter } from "../../catalog/QueryParameters.ts"
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import { MAXIMUM_CALLS, Plan, StepIndex } from "../../plans/Plan.ts"
import { Sponsorship, SponsorshipId } from "../../sponsorship/Sponsorship.ts"
import { Address, ChainId, PlanId } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
import { STORING } from "./CommonProblems.ts"
import { declare } from "./Declare.ts"

const StepIndexes = Schema.Array(StepIndex)
  .pipe(
    Schema.minItems(1),
    Schema.maxItems(MAXIMUM_CALLS),
    Schema.filter(indexes => new Set(indexes).size === indexes.length, {
      message: () => "distinct step indexes",
      jsonSchema: { uniqueItems: true }
    })
  )
  .annotations({ description: "every step that is ready, where it is left out" })

export const createSponsorship = declare({
  name: "createSponsorship",
  method: "POST",
  at: "/api/v1/sponsorships",
  access: signed({ scope: "plan", idempotency: "required" }),
  summary: "Prepare forward requests for a plan",
  description:
    "Prepares, for steps of the caller's own plan, the ERC-2771 requests that the wallet signs so that a prepaid provider may have the chains' forwarders execute them. Each rests on one block of its chain, where the forwarder's code and domain, the target's trust and the call's own run were looked at. Nothing is reserved. The same Idempotency-Key with the same request gives the stored sponsorship again.",
  body: strict({ planId: PlanId, stepIndexes: Schema.optionalWith(StepIndexes, { exact: true }) }),
  success: Sponsorship,
  status: 201,
  problems: [
    "IDEMPOTENCY_REQUIRED",
    "IDEMPOTENCY_CONFLICT",
    "PLAN_NOT_FOUND",
    "PLAN_ACCOUNT_MISMATCH",
    "PLAN_EXPIRED",
    "PLAN_TOO_LARGE",
    "STEP_NOT_FOUND",
    "STEP_ALREADY_BOUND",
    "TRANSPORT_CONFLICT",
    "DEPENDENCIES_UNCONFIRMED",
    "SIMULATION_REVERTED",
    "SPONSORSHIP_UNAVAILABLE",
    "SPONSORSHIP_CHAIN_UNAVAILABLE",
    "FORWARDER_UNAVAILABLE",
    "FORWARDER_UNVERIFIED",
    "FORWARDER_TARGET_UNTRUSTED",
    "FORWARDER_ACCOUNT_UNSUPPORTED",
    "FORWARD_GAS_BOUND",
    "FUNDING_BOUND",
    "BLOCK_UNAVAILABLE",
    ...CHAIN_PROBLEMS
  ]
})

export const listSponsorships = declare({
  name: "listSponsorships",
  method: "GET",
  at: "/api/v1/sponsorships",
  access: signed({}),
  summary: "List accessible sponsorships",
  description:
    "Newest first: the owner sees all sponsorships of the account, a bot those of its own grant. Never refreshes.",
  query: strict({
    planId: Schema.optional(PlanId),
    limit: Schema.optionalWith(IntegerParameter(1, 100), { default: () => 25 }),
    cursor: Schema.optional(Schema.String.pipe(Schema.maxLength(1024)))
  }),
  success: strict({ items: Schema.Array(Sponsorship), nextCursor: Schema.NullOr(Schema.String) }),
  problems: ["INVALID_PARAMETER"]
})

export const showSponsorship = declare({
  name: "getSponsorship",
  method: "GET",
  at: "/api/v1/sponsorships/:id",
  access: signed({}),
  summary: "Show a sponsorship",
  description:
    "From storage alone; with refresh=true after proving the provider's quote and reconciling the plan and its funding plan. It sends nothing, and works without the provider.",
  path: strict({ id: SponsorshipId }),
  query: strict({ refresh: Schema.optional(Schema.Literal("true", "false")) }),
  success: Sponsorship,
  problems: ["SPONSORSHIP_NOT_FOUND", "CONCURRENT_UPDATE"]
})

/** Judged by the use case, which refuses them with codes of its own. */
const shownSubmission = strict({
  signatures: Schema.Array(
    Schema.String.annotations({
      jsonSchema: { type: "string", pattern: "^0x[0-9a-fA-F]{130}$" }
    })
  )
    .pipe(Schema.minItems(1), Schema.maxItems(MAXIMUM_CALLS))
    .annotations({ description: "the wallet's signatures, one for each authorization in their order" }),
  ownerApproval: Schema.optionalWith(
    SponsorshipApprovalBody.annotations({
      identifier: "OwnerSponsorshipApproval",
      description:
        "The owner's signature of ServiceSponsorshipApproval over exactly these fields and the audience, for one publication by a bot within 300 seconds. An owner leaves it out: the owner's own request is the approval."
    }),
    { exact: true }
  )
})

export const publishSponsorship = declare({
  name: "submitSponsorship",
  method: "POST",
  at: "/api/v1/sponsorships/:id/submissions",
  access: signed({ scope: "relay", idempotency: "required" }),
  summary: "Publish a sponsorship's signed requests",
  description:
    "Binds the steps to the forwarder and their requests' nonces for good, and sends the requests to the provider once for ever, whatever it answers. The answer acknowledges processing: no word of the provider is completion.",
  path: strict({ id: SponsorshipId }),
  body: strict({
    signatures: Schema.Array(Schema.String),
    ownerApproval: Schema.optionalWith(Schema.Unknown, { exact: true })
  }),
  shown: { body: shownSubmission },
  success: Sponsorship,
  status: 202,
  problems: [
    "IDEMPOTENCY_REQUIRED",
    "IDEMPOTENCY_CONFLICT",
    "SPONSORSHIP_NOT_FOUND",
    "SPONSORSHIP_UNAVAILABLE",
    "SPONSORSHIP_EXPIRED",
    "SPONSORSHIP_CONFLICT",
    "SPONSORSHIP_CHAIN_UNAVAILABLE",
    "FUNDING_BOUND",
    "INVALID_FORWARD_SIGNATURE",
    "FORWARD_SIGNATURE_MISMATCH",
    "FORWARD_REQUEST_CHANGED",
    "FORWARD_REQUEST_EXPIRED",
    "FORWARD_NONCE_RESERVED",
    "OWNER_APPROVAL_REQUIRED",
    "INVALID_OWNER_APPROVAL",
    "OWNER_APPROVAL_MISMATCH",
    "INVALID_OWNER_APPROVAL_SIGNATURE",
    "OWNER_APPROVAL_EXPIRED",
    "PLAN_NOT_FOUND",
    "STEP_NOT_FOUND",
    "STEP_ALREADY_BOUND",
    "TRANSPORT_CONFLICT",
    "DEPENDENCIES_UNCONFIRMED",
    "CONCURRENT_UPDATE",
    "SIMULATION_REVERTED",
    "DISPATCH_PERSISTENCE_UNCERTAIN",
    "BLOCK_UNAVAILABLE",
    ...CHAIN_PROBLEMS
  ]
})

export const createFundingPlan = declare({
  name: "createFundingPlan",
  method: "POST",
  at: "/api/v1/sponsorships/:id/funding-plans",
  access: signed({ scope: "plan", ownerOnly: true, idempotency: "required" }),
  summary: "Prepare the payment for a published sponsorship",
  description:
    "Proves the provider's quote anew, looks whether every request can still be executed, runs the payment, and stores it as a plan of one call for the owner's wallet to send. Nothing is paid by that. Once one funding plan was admitted, no other leaves. The same Idempotency-Key with the same request gives the stored plan again.",
  path: strict({ id: SponsorshipId }),
  body: strict({
    chainId: ChainId,
    payer: Address.annotations({ description: "the owner's own address" })
  }),
  success: Plan,
  status: 201,
  problems: [
    ...STORING,
    "SPONSORSHIP_NOT_FOUND",
    "SPONSORSHIP_UNAVAILABLE",
    "SPONSORSHIP_CONFLICT",
    "QUOTE_UNAVAILABLE",
    "QUOTE_EXPIRED",
    "QUOTE_UNVERIFIED",
    "QUOTE_OUTLIVES_AUTHORIZATION",
    "FUNDING_BOUND",
    "FUNDING_CHAIN_UNAVAILABLE",
    "FUNDING_PAYER_MISMATCH",
    "FORWARD_REQUEST_CHANGED",
    "FORWARD_REQUEST_EXPIRED",
    "PROVIDER_UNAVAILABLE",
    "PROVIDER_TIMEOUT",
    "PROVIDER_INVALID_RESPONSE",
    "SIMULATION_REVERTED",
    "BLOCK_UNAVAILABLE",
    ...CHAIN_PROBLEMS
  ]
})

export const SponsorshipGroup = HttpApiGroup.make("Sponsorship")
  .add(createSponsorship)
  .add(listSponsorships)
  .add(showSponsorship)
  .add(publishSponsorship)
  .add(createFundingPlan)
