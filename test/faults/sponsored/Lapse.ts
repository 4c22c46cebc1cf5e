/** Lets the time of all requests pass on a local chain, until blocks behind it are final. */
import { toHex } from "viem"
import { rpc } from "../../support/Rpc.ts"

/** More than a local chain's two epochs. */
const FINAL_BLOCKS = 70

export const lapseAll = async (url: string, seconds: number): Promise<void> => {
  await rpc(url, "evm_increaseTime", [seconds])
  await rpc(url, "anvil_mine", [toHex(FINAL_BLOCKS)])
}
