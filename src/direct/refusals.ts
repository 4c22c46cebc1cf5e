import { Refusal } from "../values/Refusal.ts"

export class InvalidBundle extends Refusal("INVALID_BUNDLE") {}
export class SignedPlanMismatch extends Refusal("SIGNED_PLAN_MISMATCH") {}
export class TransactionFeeBound extends Refusal("TRANSACTION_FEE_BOUND") {}
export class TransactionCostBound extends Refusal("TRANSACTION_COST_BOUND") {}
export class AccessListBound extends Refusal("ACCESS_LIST_BOUND") {}
export class SignedFeeBelowBaseFee extends Refusal("SIGNED_FEE_BELOW_BASE_FEE") {}
export class SignedGasTooLow extends Refusal("SIGNED_GAS_TOO_LOW") {}
export class NonceNotReady extends Refusal("NONCE_NOT_READY") {}
export class OutOfTime extends Refusal("REQUEST_TIMEOUT") {}
