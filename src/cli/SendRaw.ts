/** Bytes of a transaction given to the node that --rpc names, and looked for until they are mined. */
import { type Hex, numberToHex, parseTransaction } from "viem"
import type { Eip1193Provider } from "../client/Signer.ts"
import { realSystem } from "../client/System.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { nodeOf } from "./SignTransaction.ts"
import { timeoutOf } from "./Watch.ts"

const LOOK_MILLIS = 500

/** What was kept may have left. */
const unknownOf = (hash: string, failure: unknown): CliFailure => {
  const reason = failure instanceof Error ? ` ${failure.message}` : ""
  return new CliFailure(
    ExitCode.unknown,
    `What became of the transaction ${hash} is unknown.${reason}`,
    "Run the same command again: it sends the same bytes again, and nothing twice."
  )
}

export interface MinedTransaction {
  readonly hash: string
  /** Or else it failed. */
  readonly isDone: boolean
}

/** Of transactions for one nonce, of which one at most is mined; some nodes tell a receipt before its block is sealed. */
const minedAmong = async (
  node: Eip1193Provider,
  hashes: ReadonlyArray<string>
): Promise<MinedTransaction | undefined> => {
  for (const hash of hashes) {
    const receipt = await node.request({ method: "eth_getTransactionReceipt", params: [hash] })
    if (receipt === null) continue
    const { blockNumber, status } = Object(receipt)
    if (Number(await node.request({ method: "eth_blockNumber" })) >= Number(blockNumber))
      return { hash, isDone: status === "0x1" }
  }
  return undefined
}

export interface KeptTransaction {
  readonly sender: string
  readonly raw: Hex
  /** Each that was signed for its nonce. */
  readonly hashes: ReadonlyArray<string>
}

export interface KeptStanding {
  readonly found: MinedTransaction | undefined
  /** What is not found then is never mined: another transaction took its nonce. */
  readonly isNonceUsed: boolean
}

const isKnown = async (node: Eip1193Provider, hashes: ReadonlyArray<string>): Promise<boolean> => {
  for (const hash of hashes)
    if ((await node.request({ method: "eth_getTransactionByHash", params: [hash] })) !== null) return true
  return false
}

const FINAL_DEPTH = 256n

/** Of blocks that are final, by their depth where the node does not serve the tag; none where it has no state of them. */
const finalCount = async (node: Eip1193Provider, sender: string): Promise<number> => {
  const countAt = (block: string) =>
    node.request({ method: "eth_getTransactionCount", params: [sender, block] })
  const deepCount = async () => {
    const head = BigInt(String(await node.request({ method: "eth_blockNumber" })))
    return countAt(numberToHex(head > FINAL_DEPTH ? head - FINAL_DEPTH : 0n))
  }
  return Number(
    await countAt("finalized")
      .catch(deepCount)
      .catch(() => 0)
  )
}

/** What became of bytes that were kept. Behind one URL nodes may be one behind another: only what is final took the nonce from what none of them shows. */
export const keptStandingOf = async (
  node: Eip1193Provider,
  { sender, raw, hashes }: KeptTransaction
): Promise<KeptStanding> => {
  const { nonce = 0 } = parseTransaction(raw)
  const count = await node.request({ method: "eth_getTransactionCount", params: [sender, "latest"] })
  const found = await minedAmong(node, hashes)
  if (found !== undefined || Number(count) <= nonce) return { found, isNonceUsed: false }
  if ((await finalCount(node, sender)) > nonce && !(await isKnown(node, hashes)))
    return { found, isNonceUsed: true }
  throw new CliFailure(
    ExitCode.unknown,
    `The nonce of the transaction ${hashes.at(-1)} is used, and the node does not tell yet whether by it.`,
    "Run the same command again, some minutes later if need be: what was signed is kept, and nothing is sent twice."
  )
}

/** The last of the hashes is that of what was sent last. */
export const mined = async (input: Input, hashes: ReadonlyArray<string>): Promise<MinedTransaction> => {
  const node = nodeOf(input)
  const hash = hashes.at(-1) ?? ""
  const until = Date.now() + timeoutOf(input) * 1000
  for (;;) {
    const found = await minedAmong(node, hashes).catch((failure: unknown) => {
      throw unknownOf(hash, failure)
    })
    if (found !== undefined) return found
    if (Date.now() > until)
      throw new CliFailure(
        ExitCode.unknown,
        `The transaction ${hash} is not mined yet.`,
        "Run the same command again."
      )
    await realSystem.sleep(LOOK_MILLIS)
  }
}

/** What `broadcast` rejects with where the node refused the bytes and knows nothing of them. */
export const isNodeRefusal = (failure: unknown): boolean =>
  failure instanceof CliFailure && failure.exitCode === ExitCode.refused

/** What a node knows already is as good as sent; only where it refuses the bytes and knows nothing of them were they not taken. */
export const broadcast = async (input: Input, raw: string, hashes: ReadonlyArray<string>): Promise<void> => {
  const node = nodeOf(input)
  await node.request({ method: "eth_sendRawTransaction", params: [raw] }).catch(async (failure: unknown) => {
    const unknown = unknownOf(hashes.at(-1) ?? "", failure)
    const known = await isKnown(node, hashes).catch(() => {
      throw unknown
    })
    if (!known) throw isNodeRefusal(failure) ? failure : unknown
  })
}
