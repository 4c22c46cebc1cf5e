import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { IntegerParameter } from "../../catalog/QueryParameters.ts"
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import { StepIndex } from "../../plans/Plan.ts"
import { SessionId } from "../../sessions/Session.ts"
import { PublicUserOperation, UserOperationId } from "../../useroperations/PublicUserOperation.ts"
import { MAX_SAFE, PlanId } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { MAXIMUM_WALLET_CALLS } from "../../values/WalletExecution.ts"
import { signed } from "./Access.ts"
import { declare } from "./Declare.ts"
import { sendUserOperation } from "./UserOperationSubmissions.ts"

const LONGEST_WAIT_SECONDS = 20

const rises = (indexes: ReadonlyArray<number>): boolean =>
  indexes.every((index, position) => position === 0 || index > (indexes[position - 1] ?? index))

const StepIndexes = Schema.Array(StepIndex)
  .pipe(
    Schema.minItems(1),
    Schema.maxItems(MAXIMUM_WALLET_CALLS),
    Schema.filter(rises, {
      message: () => "step indexes in rising order",
      jsonSchema: { uniqueItems: true }
    })
  )
  .annotations({ description: "1 to 16 steps in rising order, which are executed together or not at all" })

const UserOperationInput = strict({
  planId: PlanId,
  stepIndexes: StepIndexes,
  sessionId: Schema.optional(
    SessionId.annotations({
      description:
        "whose key signs in the place of the owners: one of this wallet, whose operations have one step"
    })
  )
}).pipe(
  Schema.filter(({ stepIndexes, sessionId }) =>
    sessionId === undefined || stepIndexes.length === 1
      ? true
      : { path: ["stepIndexes"], message: "one step where a session's key signs" }
  )
)

export const createUserOperation = declare({
  name: "createUserOperation",
  method: "POST",
  at: "/api/v1/user-operations",
  access: signed({ scope: "plan", idempotency: "required" }),
  summary: "Prepare a user operation for a wallet's plan",
  description:
    "Prepares, for steps of the caller's own plan of a bound wallet, the ERC-4337 operation that the wallet's owners sign so that a bundler may carry it. The wallet is inspected at one block, where its nonce and the chain's fees are looked at too; its gas is the bundler's estimate. A paymaster pays for it where the chain has one, else the wallet does. With sessionId the session's key signs it: the session is looked at in the same block, what its guard would refuse is refused before a bundler is asked, and its policy says who pays. The session's bot may ask for that, and the owner. Nothing is reserved. The same Idempotency-Key with the same request gives the stored operation again.",
  body: UserOperationInput,
  success: PublicUserOperation,
  status: 201,
  problems: [
    "IDEMPOTENCY_REQUIRED",
    "IDEMPOTENCY_CONFLICT",
    "PLAN_NOT_FOUND",
    "PLAN_EXPIRED",
    "PLAN_TOO_LARGE",
    "STEP_NOT_FOUND",
    "STEP_ALREADY_BOUND",
    "TRANSPORT_CONFLICT",
    "DEPENDENCIES_UNCONFIRMED",
    "SIMULATION_REVERTED",
    "BINDING_NOT_FOUND",
    "MANIFEST_NOT_FOUND",
    "SMART_ACCOUNTS_UNAVAILABLE",
    "SMART_ACCOUNT_CHANGED",
    "SMART_ACCOUNT_UNSUPPORTED",
    "SMART_ACCOUNT_UNDEPLOYED",
    "USER_OPERATIONS_UNAVAILABLE",
    "USER_OPERATION_CHAIN_UNAVAILABLE",
    "USER_OPERATION_PLAN_UNSUITABLE",
    "USER_OPERATION_CONFLICT",
    "USER_OPERATION_GAS_BOUND",
    "USER_OPERATION_FEE_BOUND",
    "USER_OPERATION_COST_BOUND",
    "USER_OPERATION_FUNDING_REQUIRED",
    "USER_OPERATION_REFUSED",
    "SESSION_NOT_FOUND",
    "SESSION_NOT_ACTIVE",
    "SESSION_OBSERVATION_STALE",
    "SESSION_PLAN_NOT_ADMITTED",
    "SESSION_CALL_REFUSED",
    "SESSION_BUDGET_EXHAUSTED",
    "PAYMASTER_REFUSED",
    "PAYMASTER_CHANGED",
    "PAYMASTER_UNAVAILABLE",
    "BUNDLER_UNAVAILABLE",
    "BUNDLER_TIMEOUT",
    "BUNDLER_INVALID_RESPONSE",
    "BLOCK_UNAVAILABLE",
    ...CHAIN_PROBLEMS
  ]
})

export const listUserOperations = declare({
  name: "listUserOperations",
  method: "GET",
  at: "/api/v1/user-operations",
  access: signed({}),
  summary: "List accessible user operations",
  description:
    "Newest first: the owner sees all operations of the account, a bot those of its own grant. Never refreshes.",
  query: strict({
    planId: Schema.optional(PlanId),
    limit: Schema.optionalWith(IntegerParameter(1, 100), { default: () => 25 }),
    cursor: Schema.optional(Schema.String.pipe(Schema.maxLength(1024)))
  }),
  success: strict({ items: Schema.Array(PublicUserOperation), nextCursor: Schema.NullOr(Schema.String) }),
  problems: ["INVALID_PARAMETER"]
})

const Awaiting = strict({
  wait: Schema.optional(IntegerParameter(1, LONGEST_WAIT_SECONDS)),
  since: Schema.optional(IntegerParameter(0, MAX_SAFE))
}).pipe(
  Schema.filter(({ wait, since }) =>
    (wait === undefined) === (since === undefined)
      ? true
      : { path: [wait === undefined ? "wait" : "since"], message: "wait and since together, or neither" }
  )
)

export const showUserOperation = declare({
  name: "getUserOperation",
  method: "GET",
  at: "/api/v1/user-operations/:id",
  access: signed({}),
  summary: "Show a user operation",
  description:
    "What was sent is looked for on its chain first. With wait and since: answers once the record's revision is above since, or after so many seconds. It sends nothing, and works without the bundler.",
  path: strict({ id: UserOperationId }),
  query: Awaiting,
  success: PublicUserOperation,
  problems: [
    "USER_OPERATION_NOT_FOUND",
    "INVALID_PARAMETER",
    "CONCURRENT_UPDATE",
    "RATE_LIMITED",
    "SERVICE_BUSY"
  ]
})

export const UserOperationsGroup = HttpApiGroup.make("UserOperations")
  .add(createUserOperation)
  .add(listUserOperations)
  .add(showUserOperation)
  .add(sendUserOperation)
