/** The node answers a transaction before it has mined it: what is to be read off the chain, or mined upon, waits for its block. */

import type { RelayBench } from "./RelayBench.ts"
import { relayed } from "./Relayed.ts"
import { rpc } from "./Rpc.ts"
import { hashOf } from "./SignedCalls.ts"
import { until } from "./Until.ts"

export const mined = async (
  { chain }: Pick<RelayBench, "chain">,
  ...raws: ReadonlyArray<`0x${string}`>
): Promise<void> => {
  for (const raw of raws)
    await until(
      () => rpc(chain.url, "eth_getTransactionReceipt", [hashOf(raw)]),
      receipt => receipt !== null
    )
}

/** A plan whose first payment was submitted and is in its block. */
export const relayedAndMined = async (...parameters: Parameters<typeof relayed>) => {
  const made = await relayed(...parameters)
  await mined(parameters[0], made.raw)
  return made
}
