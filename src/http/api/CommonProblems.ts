/** Problems that several groups of endpoints share. */
import type { ProblemCode } from "../../values/ProblemRegister.ts"

export const CHAIN_PROBLEMS = [
  "UNSUPPORTED_CHAIN",
  "RPC_UNAVAILABLE",
  "RPC_INVALID_RESPONSE",
  "RPC_CHAIN_MISMATCH",
  "RPC_BEHIND",
  "RPC_TIMEOUT",
  "RPC_BUDGET"
] as const satisfies ReadonlyArray<ProblemCode>

/** Of JSON in a query parameter, as of a body. */
export const JSON_PROBLEMS = [
  "INVALID_UTF8",
  "INVALID_JSON",
  "JSON_TOO_COMPLEX",
  "UNSAFE_JSON_NUMBER",
  "RESERVED_JSON_KEY",
  "DUPLICATE_JSON_KEY"
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
