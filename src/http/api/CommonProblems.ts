/** Problems that several groups of endpoints share. */
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import type { PublicAccess } from "./Access.ts"

/** Of every endpoint. */
export const EVERYWHERE = [
  "INVALID_REQUEST_TARGET",
  "NONCANONICAL_REQUEST_TARGET",
  "INVALID_QUERY",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "SHUTTING_DOWN",
  "REQUEST_TIMEOUT",
  "RESPONSE_TOO_LARGE"
] as const satisfies ReadonlyArray<ProblemCode>

/** Of who signs, and of the account that is signed for. */
export const SIGNED = [
  "AUTH_REQUIRED",
  "INVALID_AUTH",
  "AUTH_EXPIRED",
  "INVALID_SIGNATURE",
  "VERIFIER_UNAVAILABLE",
  "RPC_BUDGET",
  "FORBIDDEN",
  "NONCE_REUSED",
  "STORAGE_LIMIT",
  "SERVICE_BUSY",
  "DATABASE_UNAVAILABLE"
] as const satisfies ReadonlyArray<ProblemCode>

export const WITH_BODY = [
  "UNSUPPORTED_ENCODING",
  "UNSUPPORTED_MEDIA_TYPE",
  "BODY_TOO_LARGE",
  "BODY_TIMEOUT",
  "INVALID_UTF8",
  "INVALID_JSON",
  "JSON_TOO_COMPLEX",
  "UNSAFE_JSON_NUMBER",
  "RESERVED_JSON_KEY",
  "DUPLICATE_JSON_KEY",
  "INVALID_INPUT"
] as const satisfies ReadonlyArray<ProblemCode>

/** What goes without saying where an endpoint has this access. */
export type CodesOfAccess<A> =
  | (typeof EVERYWHERE)[number]
  | (A extends PublicAccess ? never : (typeof SIGNED)[number] | "ACCOUNT_NOT_FOUND")

/** Of JSON in a query parameter, as of a body. */
export const JSON_PROBLEMS = [
  "INVALID_UTF8",
  "INVALID_JSON",
  "JSON_TOO_COMPLEX",
  "UNSAFE_JSON_NUMBER",
  "RESERVED_JSON_KEY",
  "DUPLICATE_JSON_KEY"
] as const satisfies ReadonlyArray<ProblemCode>

/** Of storing a plan for its key. */
export const STORING = [
  "IDEMPOTENCY_REQUIRED",
  "IDEMPOTENCY_CONFLICT",
  "INVALID_PLAN",
  "INVALID_PLAN_CALL",
  "INVALID_PLAN_EVIDENCE",
  "PLAN_ACCOUNT_MISMATCH",
  "PLAN_TOO_LARGE",
  "STORAGE_LIMIT"
] as const satisfies ReadonlyArray<ProblemCode>

/** Of finding the contract that a call goes to. */
export const RESOLVING_PROBLEMS = [
  ...CHAIN_PROBLEMS,
  "CONTRACT_NOT_FOUND",
  "CONTRACT_NOT_EXECUTABLE",
  "PROJECT_ID_INVALID",
  "ABI_NOT_FOUND",
  "DEPLOYMENT_MISSING",
  "DEPLOYMENT_AMBIGUOUS",
  "DEPLOYMENT_CODE_MISSING",
  "RUNTIME_CODE_MISMATCH",
  "TARGET_UNVERIFIED",
  "PROVENANCE_UNVERIFIED",
  "PROJECT_COMPONENT_MISSING",
  "PROJECT_ASSOCIATION_MISMATCH",
  "ASSOCIATION_UNSUPPORTED",
  "BLOCK_UNAVAILABLE"
] as const satisfies ReadonlyArray<ProblemCode>

/** Of the function and the arguments of a call. */
export const CALL_PROBLEMS = [
  "FUNCTION_SIGNATURE_UNKNOWN",
  "FUNCTION_MUTABILITY_MISMATCH",
  "ABI_ARGUMENT_INVALID"
] as const satisfies ReadonlyArray<ProblemCode>
