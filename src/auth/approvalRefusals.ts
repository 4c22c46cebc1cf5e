import { Refusal } from "../values/Refusal.ts"

export class OwnerApprovalRequired extends Refusal("OWNER_APPROVAL_REQUIRED") {}
export class InvalidOwnerApproval extends Refusal("INVALID_OWNER_APPROVAL") {}
export class OwnerApprovalMismatch extends Refusal("OWNER_APPROVAL_MISMATCH") {}
export class InvalidOwnerApprovalSignature extends Refusal("INVALID_OWNER_APPROVAL_SIGNATURE") {}
export class OwnerApprovalExpired extends Refusal("OWNER_APPROVAL_EXPIRED") {}
