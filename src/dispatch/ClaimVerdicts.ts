/** The verdicts of a claim; npm run schema writes them from schema/claim-verdicts.json. */
export const CLAIM_ANSWERS = ["CLAIMED", "RECORDED"] as const

export const CLAIM_REFUSALS = [
  "ACCOUNT_NOT_FOUND",
  "PLAN_NOT_FOUND",
  "CONCURRENT_UPDATE",
  "FORBIDDEN",
  "TRANSPORT_CONFLICT",
  "STEP_ALREADY_BOUND",
  "NONCE_RESERVED",
  "OWNER_APPROVAL_EXPIRED",
  "PLAN_EXPIRED",
  "DEPENDENCIES_UNCONFIRMED",
  "IDEMPOTENCY_CONFLICT",
  "STORAGE_LIMIT",
  "SPONSORSHIP_CONFLICT"
] as const

/** Of a sponsorship's claim, besides. */
export const SPONSORSHIP_REFUSALS = [
  "SPONSORSHIP_NOT_FOUND",
  "SPONSORSHIP_EXPIRED",
  "FORWARD_NONCE_RESERVED"
] as const

/** Of a user operation's claim, besides. */
export const OPERATION_REFUSALS = [
  "USER_OPERATION_NOT_FOUND",
  "USER_OPERATION_EXPIRED",
  "USER_OPERATION_CONFLICT",
  "USER_OPERATION_NONCE_RESERVED",
  "SMART_ACCOUNT_CHANGED"
] as const
