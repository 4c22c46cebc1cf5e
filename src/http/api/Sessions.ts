import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { IntegerParameter } from "../../catalog/QueryParameters.ts"
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import { Plan } from "../../plans/Plan.ts"
import { PublicSession, SessionId, SessionQuota, SessionReview } from "../../sessions/Session.ts"
import { SessionInput, SessionReviewInput } from "../../sessions/SessionInput.ts"
import { Bytes32 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
import { STORING } from "./CommonProblems.ts"
import { declare } from "./Declare.ts"

const OF_WALLETS = [
  "SESSIONS_UNAVAILABLE",
  "SMART_ACCOUNTS_UNAVAILABLE",
  "MANIFEST_NOT_FOUND",
  "SMART_ACCOUNT_UNSUPPORTED",
  "SMART_ACCOUNT_UNDEPLOYED",
  "BLOCK_UNAVAILABLE",
  ...CHAIN_PROBLEMS
] as const

const OF_POLICIES = [
  "INVALID_INPUT",
  "BINDING_NOT_FOUND",
  "GRANT_NOT_FOUND",
  "SMART_ACCOUNT_CHANGED",
  "SESSION_GRANT_UNSUITABLE",
  "SESSION_TARGET_UNREVIEWED",
  "SESSION_ASSET_UNREVIEWED",
  "SESSION_ALLOCATION_INVALID",
  ...OF_WALLETS
] as const

export const reviewSession = declare({
  name: "reviewSession",
  method: "POST",
  at: "/api/v1/smart-accounts/session-reviews",
  access: signed({ scope: "plan" }),
  summary: "Review what a session would allow",
  description:
    "Compiles the policy at one block, where the wallet is inspected and each contract's code is looked at, and says in sentences what it allows. Without a gas budget nothing is compiled that could be enabled. Stores nothing.",
  body: SessionReviewInput,
  success: SessionReview,
  problems: OF_POLICIES
})

export const createSession = declare({
  name: "createSession",
  method: "POST",
  at: "/api/v1/smart-accounts/sessions",
  access: signed({ scope: "plan", idempotency: "required" }),
  summary: "Prepare a session",
  description:
    "Compiles the policy by which a bot's key may act for a bound wallet for a week or a month, at one block, upon what the wallet's guard says there. It gives no authority: the wallet's owners enable it. Nothing is reserved but its nonce, permission and generation, which no session of the wallet has again. The same Idempotency-Key with the same request gives the stored session again.",
  body: SessionInput,
  success: PublicSession,
  status: 201,
  problems: [
    "IDEMPOTENCY_REQUIRED",
    "IDEMPOTENCY_CONFLICT",
    "SESSION_CONFLICT",
    "SESSION_RETIREMENT_REQUIRED",
    ...OF_POLICIES
  ]
})

export const listSessions = declare({
  name: "listSessions",
  method: "GET",
  at: "/api/v1/smart-accounts/sessions",
  access: signed({}),
  summary: "List accessible sessions",
  description:
    "Newest first, as they are stored: the owner sees all sessions of the account, a bot those of its own grant. No chain is looked at.",
  query: strict({
    bindingId: Schema.optional(Bytes32),
    limit: Schema.optionalWith(IntegerParameter(1, 100), { default: () => 25 }),
    cursor: Schema.optional(Schema.String.pipe(Schema.maxLength(1024)))
  }),
  success: strict({ items: Schema.Array(PublicSession), nextCursor: Schema.NullOr(Schema.String) }),
  problems: ["INVALID_PARAMETER"]
})

const sessionPath = strict({ id: SessionId })

const OF_OBSERVATIONS = [
  "SESSION_NOT_FOUND",
  "CONCURRENT_UPDATE",
  "SMART_ACCOUNTS_UNAVAILABLE",
  "BLOCK_UNAVAILABLE",
  ...CHAIN_PROBLEMS
] as const

export const showSession = declare({
  name: "getSession",
  method: "GET",
  at: "/api/v1/smart-accounts/sessions/:id",
  access: signed({}),
  summary: "Show a session",
  description:
    "The wallet and its guard are looked at anew, at one block, unless refresh is false; it sends nothing.",
  path: sessionPath,
  query: strict({ refresh: Schema.optional(Schema.Literal("true", "false")) }),
  success: PublicSession,
  problems: ["INVALID_PARAMETER", ...OF_OBSERVATIONS]
})

export const showSessionQuota = declare({
  name: "getSessionQuota",
  method: "GET",
  at: "/api/v1/smart-accounts/sessions/:id/quota",
  access: signed({}),
  summary: "Show what is left of a session",
  description:
    "By the guard's counters at one block, which is looked at for this answer. What is left is no promise that the wallet has it.",
  path: sessionPath,
  success: SessionQuota,
  problems: OF_OBSERVATIONS
})

const acknowledged = strict({
  compiledHash: Bytes32.annotations({ description: "the session's, which the owner acknowledges by this" })
})

const LifecyclePrepared = strict({
  session: PublicSession,
  plan: Schema.NullOr(Plan).annotations({
    description: "null where its guard did already what was asked, by no plan of this service"
  }),
  installationConfirmed: Schema.Boolean.annotations({
    description:
      "whether the guard was seen to have done it at the block that was looked at: then there is nothing to send"
  })
})

const OF_LIFECYCLE = [
  ...STORING,
  "SESSIONS_UNAVAILABLE",
  "SESSION_CHANGED",
  "SESSION_RETIREMENT_REQUIRED",
  "SESSION_PLAN_NOT_REPLACEABLE",
  "SESSION_NOT_ACTIVE",
  "SMART_ACCOUNT_CHANGED",
  "SMART_ACCOUNT_UNSUPPORTED",
  "SMART_ACCOUNT_UNDEPLOYED",
  "MANIFEST_NOT_FOUND",
  "BINDING_NOT_FOUND",
  "SIMULATION_REVERTED",
  ...OF_OBSERVATIONS
] as const

export const createActivationPlan = declare({
  name: "createActivationPlan",
  method: "POST",
  at: "/api/v1/smart-accounts/sessions/:id/activation-plans",
  access: signed({ scope: "plan", ownerOnly: true, idempotency: "required" }),
  summary: "Prepare the plan that enables a session",
  description:
    "The owner acknowledges the compiled hash; the answer is the one plan by which the wallet's owners enable exactly that policy, or what did it where its guard has it enabled already. One generation of a wallet is admitted at a time. A plan that ran out, and of which nothing can be executed any more, is replaced by another request under a new key.",
  path: sessionPath,
  body: acknowledged,
  success: LifecyclePrepared,
  status: 201,
  problems: OF_LIFECYCLE
})

export const createRevocationPlan = declare({
  name: "createRevocationPlan",
  method: "POST",
  at: "/api/v1/smart-accounts/sessions/:id/revocation-plans",
  access: signed({ scope: "plan", ownerOnly: true, idempotency: "required" }),
  summary: "Prepare the plan that revokes a session",
  description:
    "The owner acknowledges the compiled hash; the answer is the plan by which the wallet's owners have the guard revoke the permission for good. From the answer on nothing more is sent under the session here. The session's revokeTransaction does the same without this service.",
  path: sessionPath,
  body: acknowledged,
  success: LifecyclePrepared,
  status: 201,
  problems: OF_LIFECYCLE
})

export const SessionsGroup = HttpApiGroup.make("Sessions")
  .add(reviewSession)
  .add(createSession)
  .add(listSessions)
  .add(showSession)
  .add(showSessionQuota)
  .add(createActivationPlan)
  .add(createRevocationPlan)
