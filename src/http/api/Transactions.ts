import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { IntegerParameter } from "../../catalog/QueryParameters.ts"
import { Dispatch, Plan, StepIndex } from "../../plans/Plan.ts"
import { Simulation } from "../../plans/Simulation.ts"
import { problemCodes } from "../../values/ProblemRegister.ts"
import { Address, ChainId, PlanId, PositiveUint256, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
import { declare } from "./Declare.ts"
import { planIds } from "./PlanOperations.ts"

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
export type PlannedCall = typeof PlannedCall.Type

export const ContractCallsInput = strict({
  account: Address,
  label: Schema.optionalWith(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(160)), { exact: true }),
  calls: Schema.Array(PlannedCall)
}).annotations({ identifier: "ContractCalls" })
export type ContractCallsInput = typeof ContractCallsInput.Type

const idempotent = "required"
const planPath = strict({ id: PlanId })
const stepPath = strict({ id: PlanId, step: IntegerParameter(0, 31) })

const ContractCallsPlan = strict({ operation: Schema.Literal("contract_calls"), input: ContractCallsInput })

/** The operation judges its input. */
const OperationPlan = strict({
  operation: Schema.Literal(...planIds),
  input: Schema.Unknown.annotations({
    jsonSchema: { type: "object", description: "as the operation's own path takes it" }
  })
}).annotations({ identifier: "OperationPlan" })

export const createPlan = declare({
  name: "createPlan",
  method: "POST",
  at: "/api/v1/plans",
  access: signed({ scope: "plan", idempotency: idempotent }),
  summary: "Prepare a plan",
  description:
    "Stores up to 32 exact calls of catalogued functions, or those of an operation of transactions, with their block evidence and a commitment. The same Idempotency-Key with the same request gives the stored plan again.",
  body: Schema.Union(ContractCallsPlan, OperationPlan),
  success: Plan,
  status: 201,
  problems: [
    "IDEMPOTENCY_REQUIRED",
    "IDEMPOTENCY_CONFLICT",
    "INVALID_PLAN",
    "INVALID_PLAN_CALL",
    "PLAN_ACCOUNT_MISMATCH",
    "PLAN_TOO_LARGE",
    "ABI_ARGUMENT_INVALID",
    "FUNCTION_SIGNATURE_UNKNOWN",
    "FUNCTION_MUTABILITY_MISMATCH",
    "STORAGE_LIMIT"
  ]
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
  success: strict({ items: Schema.Array(Plan), nextCursor: Schema.NullOr(Schema.String) })
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
  problems: ["PLAN_NOT_FOUND"]
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
    "SIMULATION_REVERTED"
  ]
})

/** Its hex is judged by the relay, which refuses it with a code of its own. */
const RawSignedTransaction = Schema.String.annotations({
  description: "the exact serialized signed transaction in hexadecimal",
  jsonSchema: { type: "string", pattern: "^0x[0-9a-fA-F]+$" }
})

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
  success: strict({ plan: Plan, dispatch: Dispatch }).annotations({ identifier: "Submission" }),
  status: 202,
  problems: [
    "IDEMPOTENCY_REQUIRED",
    "IDEMPOTENCY_CONFLICT",
    "PLAN_NOT_FOUND",
    "STEP_NOT_FOUND",
    "PLAN_EXPIRED",
    "DEPENDENCIES_UNCONFIRMED",
    "OWNER_APPROVAL_REQUIRED",
    "INVALID_SIGNED_TRANSACTION",
    "UNSUPPORTED_TRANSACTION_TYPE",
    "SIGNED_PLAN_MISMATCH",
    "STEP_ALREADY_BOUND",
    "NONCE_RESERVED",
    "NONCE_NOT_READY",
    "SIMULATION_REVERTED"
  ]
})

/** The relay judges the items, which it refuses with a code of its own that says which of them is wrong. */
const Submissions = Schema.Unknown.annotations({
  jsonSchema: {
    type: "array",
    description: "signed step submissions, dispatched in this order; no step twice",
    minItems: 1,
    maxItems: 32,
    items: {
      type: "object",
      required: ["stepIndex", "rawSignedTransaction"],
      properties: {
        stepIndex: { type: "integer", minimum: 0, maximum: 31 },
        rawSignedTransaction: {
          type: "string",
          pattern: "^0x[0-9a-fA-F]+$",
          description: "the exact serialized signed transaction in hexadecimal"
        },
        ownerApproval: {
          description:
            "from a bot, for every item that needs a new dispatch; the owner's own request is the approval"
        }
      },
      additionalProperties: false
    }
  }
})

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
    "Relays the items in their order and stops at the first that cannot go: nothing is atomic. The same Idempotency-Key with the same request answers what is done from storage and goes on with what is left.",
  path: planPath,
  body: strict({ submissions: Submissions }),
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
  problems: ["IDEMPOTENCY_REQUIRED", "IDEMPOTENCY_CONFLICT", "PLAN_NOT_FOUND", "INVALID_BUNDLE"]
})

export const TransactionsGroup = HttpApiGroup.make("Transactions")
  .add(createPlan.endpoint)
  .add(listPlans.endpoint)
  .add(showPlan.endpoint)
  .add(simulateStep.endpoint)
  .add(submitStep.endpoint)
  .add(submitBundle.endpoint)
