/** What asking any operation can meet, by what its answer rests on. */
import type { ProblemCode } from "../../values/ProblemRegister.ts"

export const JSON_PROBLEMS: ReadonlyArray<ProblemCode> = [
  "INVALID_JSON",
  "JSON_TOO_COMPLEX",
  "UNSAFE_JSON_NUMBER",
  "RESERVED_JSON_KEY",
  "DUPLICATE_JSON_KEY",
  "INVALID_INPUT"
]

export const PROBLEMS_BY_SOURCE = {
  onchain: [
    "UNSUPPORTED_CHAIN",
    "RPC_UNAVAILABLE",
    "RPC_INVALID_RESPONSE",
    "RPC_BEHIND",
    "RPC_TIMEOUT",
    "RPC_BUDGET",
    "CALL_REVERTED",
    "DEPLOYMENT_UNAVAILABLE",
    "DEPLOYMENT_CODE_MISSING"
  ],
  indexer: ["INDEXER_NOT_CONFIGURED", "INDEXER_UNAVAILABLE", "INDEXER_TIMEOUT", "INDEXER_INVALID_RESPONSE"]
} as const
