/** The codes of user operations, their bundlers and paymasters. */
import { entry } from "./ProblemEntry.ts"

export const userOperationProblems = {
  USER_OPERATIONS_UNAVAILABLE: entry(503, "No bundler is configured.", false),
  USER_OPERATION_NOT_FOUND: entry(404, "There is no such user operation for this principal."),
  USER_OPERATION_PLAN_UNSUITABLE: entry(
    409,
    "The plan is not of a wallet that is bound to the account and acts by operations; context.reason says what it lacks."
  ),
  USER_OPERATION_EXPIRED: entry(409, "The time to send the operation is over; prepare again."),
  USER_OPERATION_CHAIN_UNAVAILABLE: entry(422, "No bundler is configured for the wallet's chain."),
  USER_OPERATION_GAS_BOUND: entry(
    422,
    "The operation needs more gas of a kind than it may carry; context says of which, and how much it may be."
  ),
  USER_OPERATION_FEE_BOUND: entry(422, "The chain's fee per gas is higher than it may be."),
  USER_OPERATION_COST_BOUND: entry(
    422,
    "The operation could cost more than it may, with what its calls send."
  ),
  PAYMASTER_REFUSED: entry(422, "The paymaster does not pay for this operation."),
  PAYMASTER_CHANGED: entry(
    502,
    "The paymaster's last word has another address, length or gas than its first, or none that fits; context.check says which.",
    true
  ),
  PAYMASTER_UNAVAILABLE: entry(
    503,
    "The paymaster cannot be reached, fails by itself, or its answer cannot be read.",
    true
  ),
  BUNDLER_UNAVAILABLE: entry(502, "The bundler cannot be reached.", true),
  BUNDLER_TIMEOUT: entry(504, "The bundler did not answer in time.", true),
  BUNDLER_INVALID_RESPONSE: entry(502, "The bundler's answer cannot be read, or cannot be true.", true)
} as const
