/** Bytes of a transaction given to the node that --rpc names, and looked for until they are mined. */
import { realSystem } from "../client/System.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { nodeOf } from "./SignTransaction.ts"
import { timeoutOf } from "./Watch.ts"

const LOOK_MILLIS = 500

/** Whether it succeeded. */
export const mined = async (input: Input, hash: string): Promise<boolean> => {
  const node = nodeOf(input)
  const until = Date.now() + timeoutOf(input) * 1000
  for (;;) {
    const receipt = await node.request({ method: "eth_getTransactionReceipt", params: [hash] })
    if (receipt !== null) return Object(receipt).status === "0x1"
    if (Date.now() > until)
      throw new CliFailure(
        ExitCode.unknown,
        `The transaction ${hash} is not mined yet.`,
        "Run the same command again."
      )
    await realSystem.sleep(LOOK_MILLIS)
  }
}

/** What a node knows already is as good as sent. */
export const broadcast = async (input: Input, raw: string, hash: string): Promise<void> => {
  const node = nodeOf(input)
  await node.request({ method: "eth_sendRawTransaction", params: [raw] }).catch(async (failure: unknown) => {
    if ((await node.request({ method: "eth_getTransactionByHash", params: [hash] })) === null) throw failure
  })
}
