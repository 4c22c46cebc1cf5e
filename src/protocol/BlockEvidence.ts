import type { Block } from "../chain/ChainClient.ts"
import type { Evidence } from "../values/Evidence.ts"

export const evidenceOf = (block: Block): Evidence => ({
  chainId: block.chainId,
  blockNumber: block.number.toString(),
  blockHash: block.hash,
  timestamp: block.timestamp.toString(),
  source: "onchain"
})
