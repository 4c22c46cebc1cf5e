/** What a read rests on, and values that may be unknown. */
import { Schema } from "effect"
import { Bytes32, ChainId, Uint256 } from "./Scalars.ts"
import { strict } from "./Strict.ts"

export const Evidence = strict({
  chainId: ChainId,
  blockNumber: Uint256,
  blockHash: Bytes32,
  timestamp: Uint256,
  source: Schema.Literal("onchain")
}).annotations({
  identifier: "BlockEvidence",
  description:
    "The mined block that a read was pinned to; number and timestamp in seconds are decimal strings."
})
export type Evidence = typeof Evidence.Type
