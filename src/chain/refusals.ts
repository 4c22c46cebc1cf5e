import type { ProblemCode } from "../values/ProblemRegister.ts"
import { Refusal } from "../values/Refusal.ts"

/** Of every question to a chain. */
export const CHAIN_PROBLEMS = [
  "UNSUPPORTED_CHAIN",
  "RPC_UNAVAILABLE",
  "RPC_INVALID_RESPONSE",
  "RPC_CHAIN_MISMATCH",
  "RPC_BEHIND",
  "RPC_TIMEOUT",
  "RPC_BUDGET"
] as const satisfies ReadonlyArray<ProblemCode>

export class UnsupportedChain extends Refusal("UNSUPPORTED_CHAIN") {}
export class RpcUnavailable extends Refusal("RPC_UNAVAILABLE") {}
export class RpcInvalidResponse extends Refusal("RPC_INVALID_RESPONSE") {}
export class RpcChainMismatch extends Refusal("RPC_CHAIN_MISMATCH") {}
export class RpcBehind extends Refusal("RPC_BEHIND") {}
export class RpcTimeout extends Refusal("RPC_TIMEOUT") {}
export class RpcBudget extends Refusal("RPC_BUDGET") {}
export class BlockUnavailable extends Refusal("BLOCK_UNAVAILABLE") {}

export type RpcFailure =
  | RpcUnavailable
  | RpcInvalidResponse
  | RpcChainMismatch
  | RpcBehind
  | RpcTimeout
  | RpcBudget
