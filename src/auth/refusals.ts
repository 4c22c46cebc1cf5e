import { Refusal } from "../values/Refusal.ts"

export class AuthRequired extends Refusal("AUTH_REQUIRED") {}
export class InvalidAuth extends Refusal("INVALID_AUTH") {}
export class IdempotencyRequired extends Refusal("IDEMPOTENCY_REQUIRED") {}
export class IdempotencyConflict extends Refusal("IDEMPOTENCY_CONFLICT") {}

export class OwnerApprovalRequired extends Refusal("OWNER_APPROVAL_REQUIRED") {}
export class InvalidOwnerApproval extends Refusal("INVALID_OWNER_APPROVAL") {}
export class OwnerApprovalMismatch extends Refusal("OWNER_APPROVAL_MISMATCH") {}
export class InvalidOwnerApprovalSignature extends Refusal("INVALID_OWNER_APPROVAL_SIGNATURE") {}
export class OwnerApprovalExpired extends Refusal("OWNER_APPROVAL_EXPIRED") {}
