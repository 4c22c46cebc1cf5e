import { Refusal } from "../values/Refusal.ts"

export class UserOperationsUnavailable extends Refusal("USER_OPERATIONS_UNAVAILABLE") {}
export class UserOperationNotFound extends Refusal("USER_OPERATION_NOT_FOUND") {}
export class UserOperationPlanUnsuitable extends Refusal("USER_OPERATION_PLAN_UNSUITABLE") {}
export class UserOperationExpired extends Refusal("USER_OPERATION_EXPIRED") {}
export class UserOperationChainUnavailable extends Refusal("USER_OPERATION_CHAIN_UNAVAILABLE") {}
export class UserOperationGasBound extends Refusal("USER_OPERATION_GAS_BOUND") {}
export class UserOperationFeeBound extends Refusal("USER_OPERATION_FEE_BOUND") {}
export class UserOperationCostBound extends Refusal("USER_OPERATION_COST_BOUND") {}
export class PaymasterRefused extends Refusal("PAYMASTER_REFUSED") {}
export class PaymasterChanged extends Refusal("PAYMASTER_CHANGED") {}
export class PaymasterUnavailable extends Refusal("PAYMASTER_UNAVAILABLE") {}
export class BundlerUnavailable extends Refusal("BUNDLER_UNAVAILABLE") {}
export class BundlerTimeout extends Refusal("BUNDLER_TIMEOUT") {}
export class BundlerInvalidResponse extends Refusal("BUNDLER_INVALID_RESPONSE") {}
export class InvalidEnvelope extends Refusal("INVALID_ENVELOPE") {}
export class UserOperationConflict extends Refusal("USER_OPERATION_CONFLICT") {}
export class UserOperationNonceReserved extends Refusal("USER_OPERATION_NONCE_RESERVED") {}
export class UserOperationNonceChanged extends Refusal("USER_OPERATION_NONCE_CHANGED") {}
export class UserOperationRefused extends Refusal("USER_OPERATION_REFUSED") {}
export class UserOperationFundingRequired extends Refusal("USER_OPERATION_FUNDING_REQUIRED") {}
export class SessionNotFound extends Refusal("SESSION_NOT_FOUND") {}
export class SessionNotActive extends Refusal("SESSION_NOT_ACTIVE") {}
export class SessionObservationStale extends Refusal("SESSION_OBSERVATION_STALE") {}
export class SessionPlanNotAdmitted extends Refusal("SESSION_PLAN_NOT_ADMITTED") {}
export class SessionCallRefused extends Refusal("SESSION_CALL_REFUSED") {}
export class SessionBudgetExhausted extends Refusal("SESSION_BUDGET_EXHAUSTED") {}
export class SessionSignatureMismatch extends Refusal("SESSION_SIGNATURE_MISMATCH") {}

export const unfunded = (required: bigint, available: bigint, detail?: string) =>
  new UserOperationFundingRequired({
    ...(detail !== undefined && { detail }),
    context: {
      required: String(required),
      available: String(available),
      missing: String(required - available)
    }
  })
