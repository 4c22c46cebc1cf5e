/** How settled a block is, as the node that told of it says. */
import { Effect } from "effect"
import { type TaggedBlock, taggedBlock, toldBlock } from "../chain/Reads.ts"
import type { PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { type Observed, observed } from "../values/Observed.ts"
import { mapObserved, SIDE_BY_SIDE } from "./Observations.ts"
import type { BridgeFinality } from "./OmnichainSchemas.ts"

const numberOf = (tagged: TaggedBlock): string | null => toldBlock(tagged)?.number.toString() ?? null

const covers = (tagged: TaggedBlock, number: bigint): boolean => (toldBlock(tagged)?.number ?? -1n) >= number

export const finalityOf = (snapshot: PinnedSnapshot): Effect.Effect<Observed<BridgeFinality>> => {
  const { block, chainId } = snapshot
  const tags = Effect.all(
    [snapshot.askApart(taggedBlock(chainId, "safe")), snapshot.askApart(taggedBlock(chainId, "finalized"))],
    SIDE_BY_SIDE
  )
  return Effect.map(observed(tags), told =>
    mapObserved(told, ([safe, finalized]) => ({
      status: covers(finalized, block.number) ? "finalized" : covers(safe, block.number) ? "safe" : "latest",
      safeBlock: numberOf(safe),
      finalizedBlock: numberOf(finalized)
    }))
  )
}
