/** How settled a block is, as the node that told of it says. */
import { Effect } from "effect"
import { taggedBlock } from "../chain/Reads.ts"
import type { PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { type Observed, observed } from "../values/Observed.ts"
import { mapObserved, SIDE_BY_SIDE } from "./Observations.ts"
import type { BridgeFinality } from "./OmnichainSchemas.ts"

const numberOf = (block: { readonly number: bigint } | null): string | null =>
  block?.number.toString() ?? null

const covers = (tagged: { readonly number: bigint } | null, number: bigint): boolean =>
  tagged !== null && tagged.number >= number

export const finalityOf = (snapshot: PinnedSnapshot): Effect.Effect<Observed<BridgeFinality>> => {
  const { block, chainId } = snapshot
  const tags = Effect.all(
    [snapshot.ask(taggedBlock(chainId, "safe")), snapshot.ask(taggedBlock(chainId, "finalized"))],
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
