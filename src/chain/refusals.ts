import { Refusal } from "../values/Refusal.ts"

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
