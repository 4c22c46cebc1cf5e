import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { ApprovalBody } from "../../auth/ApprovalBody.ts"
import { IntegerParameter } from "../../catalog/QueryParameters.ts"
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import type { AnyDeclaredPlan } from "../../operations/framework/PlanOperation.ts"
import { Dispatch, MAXIMUM_CALLS, Plan, StepIndex } from "../../plans/Plan.ts"
import { Simulation } from "../../plans/Simulation.ts"
import { problemCodes } from "../../values/ProblemRegister.ts"
import { Address, ChainId, PlanId, PositiveUint256, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
import { CALL_PROBLEMS, RESOLVING_PROBLEMS, STORING } from "./CommonProblems.ts"
import { declare } from "./Declare.ts"
import { anyPrepared } from "./PlanOperations.ts"

const PlannedCall = strict({
  chainId: ChainId,
  contractId: Schema.NonEmptyString,
  address: Schema.optionalWith(Address, { exact: true }),
  projectId: Schema.optionalWith(PositiveUint256, { exact: true }),
  function: Schema.NonEmptyString.annotations({
    description: "the full canonical signature, tuples expanded"
  }),
  args: Schema.Array(Schema.Unknown),
  value: Schema.optionalWith(Uint256, { default: () => "0" }),
  dependsOn: Schema.optionalWith(Schema.Array(StepIndex), { default: () => [] })
}).annotations({ identifier: "PlannedCall" })
export type RequestedCall = typeof PlannedCall.Type

export const ContractCallsInput = strict({
  account: Address,
  label: Schema.optionalWith(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(160)), { exact: true }),
  calls: Schema.Array(PlannedCall)
}).annotations({ identifier: "ContractCalls" })
export type ContractCallsInput = typeof ContractCallsInput.Type

const idempotent = "required"
const planPath = strict({ id: PlanId })
const stepPath = strict({ id: PlanId, step: IntegerParameter(0, 31) })

/** What plans of a caller's own calls are called. */
export const CONTRACT_CALLS = "contract_calls"

export const ContractCallsPlan = strict({
  operation: Schema.Literal(CONTRACT_CALLS),
  input: ContractCallsInput
})

/** No operation has that name. */
export const isContractCalls = (body: {
  readonly operation: string
}): body is typeof ContractCallsPlan.Type => body.operation === CONTRACT_CALLS

/** The operation judges its input. */
export const operationPlan = (plans: ReadonlyArray<AnyDeclaredPlan>) =>
  strict({
    operation: Schema.Literal(...plans.map(({ id }) => id)),
    input: Schema.Unknown.annotations({
      jsonSchema: { type: "object", description: "as the operation's own path takes it" }
    })
  }).annotations({ identifier: "OperationPlan" })

/** Of a plan of calls, beside those of an operation's plan. */
export const CALLS_PROBLEMS = [...STORING, ...RESOLVING_PROBLEMS, ...CALL_PROBLEMS] as const

export const createPlan = (plans: ReadonlyArray<AnyDeclaredPlan>) =>
  declare({
    name: "createPlan",
    method: "POST",
    at: "/api/v1/plans",
    access: signed({ scope: "plan", idempotency: idempotent }),
    summary: "Prepare a plan",
    description:
      "Stores up to 32 exact calls of catalogued functions, or those of an operation of transactions, with their block evidence and a commitment. The same Idempotency-Key with the same request gives the stored plan again.",
    body: Schema.Union(ContractCallsPlan, operationPlan(plans)),
    success: Plan,
    status: 201,
    problems: [...CALLS_PROBLEMS, ...anyPrepared(plans)]
  })

export const listPlans = declare({
  name: "listPlans",
  method: "GET",
  at: "/api/v1/plans",
  access: signed({}),
  summary: "List accessible plans",
  description:
    "Newest first: the owner sees all plans of the account, a bot those of its own grant. Never refreshes.",
  query: strict({
    account: Schema.optional(Address),
    limit: Schema.optionalWith(IntegerParameter(1, 100), { default: () => 20 }),
    cursor: Schema.optional(Schema.String.pipe(Schema.maxLength(1024)))
  }),
  success: strict({ items: Schema.Array(Plan), nextCursor: Schema.NullOr(Schema.String) }),
  problems: ["INVALID_PARAMETER"]
})

export const showPlan = declare({
  name: "getPlan",
  method: "GET",
  at: "/api/v1/plans/:id",
  access: signed({}),
  summary: "Show a plan",
  description:
    "From storage alone; with refresh=true after reconciling receipts, canonical blocks and semantics.",
  path: planPath,
  query: strict({ refresh: Schema.optional(Schema.Literal("true", "false")) }),
  success: Plan,
  problems: ["PLAN_NOT_FOUND", "CONCURRENT_UPDATE"]
})

export const simulateStep = declare({
  name: "simulateStep",
  method: "GET",
  at: "/api/v1/plans/:id/steps/:step/simulation",
  access: signed({}),
  summary: "Simulate a step",
  description:
    "The exact call as the planned wallet at one reported canonical block, without any state override.",
  path: stepPath,
  success: Simulation,
  problems: [
    "PLAN_NOT_FOUND",
    "STEP_NOT_FOUND",
    "PLAN_EXPIRED",
    "DEPENDENCIES_UNCONFIRMED",
    "CONCURRENT_UPDATE",
    "INSUFFICIENT_BALANCE",
    "SIMULATION_REVERTED",
    "SIMULATION_REORGED",
    "BLOCK_UNAVAILABLE",
    ...CHAIN_PROBLEMS
  ]
})

/** What the claim of a dispatch can meet. */
const ADMITTING = [
  "IDEMPOTENCY_REQUIRED",
  "IDEMPOTENCY_CONFLICT",
  "PLAN_NOT_FOUND",
  "PLAN_EXPIRED",
  "DEPENDENCIES_UNCONFIRMED",
  "STEP_ALREADY_BOUND",
  "TRANSPORT_CONFLICT",
  "NONCE_RESERVED",
  "SPONSORSHIP_CONFLICT",
  "OWNER_APPROVAL_EXPIRED",
  "CONCURRENT_UPDATE",
  "STORAGE_LIMIT"
] as const

/** Its hex is judged by the relay, which refuses it with a code of its own. */
const RawSignedTransaction = Schema.String.annotations({
  jsonSchema: {
    type: "string",
    pattern: "^0x[0-9a-fA-F]+$",
    description: "the exact serialized signed transaction in hexadecimal"
  }
})

/** Judged by the relay too. */
const OwnerApproval = ApprovalBody.annotations({
  identifier: "OwnerApproval",
  description:
    "The owner's signature of ServiceTransactionApproval over exactly these fields and the audience, for one dispatch by a bot within 300 seconds. An owner leaves it out: the owner's own request is the approval."
})
const approved = { ownerApproval: Schema.optionalWith(OwnerApproval, { exact: true }) }

export const submitStep = declare({
  name: "submitStep",
  method: "POST",
  at: "/api/v1/plans/:id/steps/:step/submissions",
  access: signed({ scope: "relay", idempotency: idempotent }),
  summary: "Submit a step's signed transaction",
  description:
    "Relays exactly these bytes once and binds the step to their hash for good. The answer acknowledges processing, not confirmation.",
  path: stepPath,
  body: strict({
    rawSignedTransaction: RawSignedTransaction,
    ownerApproval: Schema.optionalWith(Schema.Unknown, { exact: true })
  }),
  shown: { body: strict({ rawSignedTransaction: RawSignedTransaction, ...approved }) },
  success: strict({ plan: Plan, dispatch: Dispatch }).annotations({ identifier: "Submission" }),
  status: 202,
  problems: [
    ...ADMITTING,
    "STEP_NOT_FOUND",
    "OWNER_APPROVAL_REQUIRED",
    "INVALID_OWNER_APPROVAL",
    "OWNER_APPROVAL_MISMATCH",
    "INVALID_OWNER_APPROVAL_SIGNATURE",
    "INVALID_SIGNED_TRANSACTION",
    "INVALID_TRANSACTION_SIGNATURE",
    "INVALID_FEE_ENVELOPE",
    "UNSUPPORTED_TRANSACTION_TYPE",
    "SIGNED_PLAN_MISMATCH",
    "TRANSACTION_FEE_BOUND",
    "TRANSACTION_COST_BOUND",
    "ACCESS_LIST_BOUND",
    "PLAN_EVIDENCE_REORGED",
    "NONCE_NOT_READY",
    "INSUFFICIENT_BALANCE",
    "SIGNED_FEE_BELOW_BASE_FEE",
    "SIGNED_GAS_TOO_LOW",
    "SIMULATION_REVERTED",
    "STEP_STATE_UNCERTAIN",
    "BROADCAST_PERSISTENCE_UNCERTAIN",
    ...CHAIN_PROBLEMS
  ]
})

const Submissions = Schema.Array(
  strict({ stepIndex: StepIndex, rawSignedTransaction: RawSignedTransaction, ...approved })
)
  .pipe(Schema.minItems(1), Schema.maxItems(MAXIMUM_CALLS))
  .annotations({ description: "signed step submissions, dispatched in this order; no step twice" })

const Code = Schema.Literal(...problemCodes).annotations({
  identifier: "ProblemCode",
  description: "What went wrong, for programs."
})

export const submitBundle = declare({
  name: "submitBundle",
  method: "POST",
  at: "/api/v1/plans/:id/submissions",
  access: signed({ scope: "relay", idempotency: idempotent }),
  summary: "Submit several steps' signed transactions",
  description:
    "Relays the items in their order and stops at the first that cannot go: nothing is atomic. The same Idempotency-Key with the same request answers what is done from storage and goes on with what is left; it stops at an item whose transaction was lost since, of which a new key sends the same bytes again.",
  path: planPath,
  /** The relay judges the items, which it refuses with a code of its own that says which of them is wrong. */
  body: strict({ submissions: Schema.Unknown }),
  shown: { body: strict({ submissions: Submissions }) },
  success: strict({
    atomic: Schema.Literal(false),
    complete: Schema.Boolean,
    results: Schema.Array(strict({ stepIndex: StepIndex, dispatch: Dispatch })),
    plan: Plan,
    stoppedAt: Schema.optionalWith(
      Schema.NonNegativeInt.annotations({ description: "the position of the item that could not go" }),
      { exact: true }
    ),
    error: Schema.optionalWith(strict({ code: Code, detail: Schema.String }), { exact: true }),
    remainingStepIndices: Schema.optionalWith(
      Schema.Array(StepIndex).annotations({ description: "the steps from the stopped item on" }),
      { exact: true }
    )
  }).annotations({ identifier: "Bundle" }),
  status: 202,
  problems: ["INVALID_BUNDLE", ...ADMITTING]
})

export const transactionsGroup = (plans: ReadonlyArray<AnyDeclaredPlan>) =>
  HttpApiGroup.make("Transactions")
    .add(createPlan(plans))
    .add(listPlans)
    .add(showPlan)
    .add(simulateStep)
    .add(submitStep)
    .add(submitBundle)
