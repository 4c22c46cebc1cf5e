import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { IntegerParameter } from "../../catalog/QueryParameters.ts"
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import { MAXIMUM_CALLS, StepIndex } from "../../plans/Plan.ts"
import { Sponsorship, SponsorshipId } from "../../sponsorship/Sponsorship.ts"
import { PlanId } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
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
  description: "From storage alone.",
  path: strict({ id: SponsorshipId }),
  success: Sponsorship,
  problems: ["SPONSORSHIP_NOT_FOUND"]
})

export const SponsorshipGroup = HttpApiGroup.make("Sponsorship")
  .add(createSponsorship)
  .add(listSponsorships)
  .add(showSponsorship)
