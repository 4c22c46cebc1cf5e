/** What asking any operation can meet, by what its answer rests on. */
import { CHAIN_PROBLEMS } from "./CommonProblems.ts"

export const PROBLEMS_BY_SOURCE = {
  onchain: [
    ...CHAIN_PROBLEMS,
    "BLOCK_UNAVAILABLE",
    "CALL_REVERTED",
    "DEPLOYMENT_UNAVAILABLE",
    "DEPLOYMENT_CODE_MISSING"
  ],
  indexer: ["INDEXER_NOT_CONFIGURED", "INDEXER_UNAVAILABLE", "INDEXER_TIMEOUT", "INDEXER_INVALID_RESPONSE"]
} as const
