/** What a chain shows since a moment: the transactions of senders, what forwarders and entry points carried out, and who may act for wallets. */
import { isHex, numberToHex, pad, toEventSelector } from "viem"
import { CliFailure, ExitCode } from "../Failure.ts"
import { guardOf, livePermission } from "../GuardReads.ts"
import type { Rpc } from "../Rpc.ts"

const EXECUTED = toEventSelector("ExecutedForwardRequest(address,uint256,bool)")
const CARRIED = toEventSelector("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)")
const BLOCKS_TOGETHER = 50
const MOST_BLOCKS = 50_000

export interface SeenTransaction {
  readonly hash: string
  readonly from: string
  readonly to: string
  readonly nonce: number
  readonly value: string
  readonly data: string
}

export interface SeenEvent {
  readonly transaction: string
  /** The signer of a request with its nonce, or the hash of an operation. */
  readonly name: string
}

export interface Range {
  readonly from: number
  readonly to: number
}

const lower = (value: unknown): string => String(value ?? "").toLowerCase()

const blockAt = async (rpc: Rpc, tag: string) => {
  const block = Object(await rpc.call("eth_getBlockByNumber", [tag, false]))
  return { number: Number(block.number), timestamp: Number(block.timestamp) }
}

/** From the first block at or after those seconds to the newest one. */
export const blocksSince = async (rpc: Rpc, seconds: number): Promise<Range> => {
  const head = await blockAt(rpc, "latest")
  let low = Math.max(0, head.number - MOST_BLOCKS)
  let high = head.number
  if (low > 0 && (await blockAt(rpc, numberToHex(low))).timestamp >= seconds)
    throw new CliFailure(
      ExitCode.refused,
      `The chain has more than ${MOST_BLOCKS} blocks since then.`,
      "Give --since with a later time, such as that of the backup."
    )
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await blockAt(rpc, numberToHex(middle))).timestamp >= seconds) high = middle
    else low = middle + 1
  }
  return { from: low, to: head.number }
}

const transactionFrom = (value: unknown): SeenTransaction => {
  const { hash, from, to, nonce, value: wei, input } = Object(value)
  return {
    hash: lower(hash),
    from: lower(from),
    to: lower(to),
    nonce: Number(nonce),
    value: isHex(wei) ? String(BigInt(wei)) : "0",
    data: lower(input)
  }
}

const blocksOf = async (rpc: Rpc, numbers: ReadonlyArray<number>): Promise<ReadonlyArray<unknown>> => {
  const answers = await rpc.post(
    numbers.map(number => ({
      jsonrpc: "2.0",
      id: number,
      method: "eth_getBlockByNumber",
      params: [numberToHex(number), true]
    }))
  )
  const found = Array.isArray(answers) ? answers.map(answer => Object(answer).result) : []
  if (found.length === numbers.length && found.every(block => Array.isArray(Object(block).transactions)))
    return found
  throw new CliFailure(
    ExitCode.refused,
    "The node does not give whole blocks in batches.",
    "Name a node that does."
  )
}

/** Those that the senders signed themselves. */
export const transactionsOf = async (
  rpc: Rpc,
  { from, to }: Range,
  senders: ReadonlySet<string>
): Promise<ReadonlyArray<SeenTransaction>> => {
  const seen: Array<SeenTransaction> = []
  for (let first = from; first <= to; first += BLOCKS_TOGETHER) {
    const count = Math.min(BLOCKS_TOGETHER, to - first + 1)
    const blocks = await blocksOf(
      rpc,
      Array.from({ length: count }, (_, index) => first + index)
    )
    for (const block of blocks)
      for (const each of Object(block).transactions) {
        const transaction = transactionFrom(each)
        if (senders.has(transaction.from)) seen.push(transaction)
      }
  }
  return seen
}

const logsOf = async (rpc: Rpc, { from, to }: Range, address: string, topics: ReadonlyArray<unknown>) => {
  const filter = { address, topics, fromBlock: numberToHex(from), toBlock: numberToHex(to) }
  const logs = await rpc.call("eth_getLogs", [filter])
  return (Array.isArray(logs) ? logs : []).map(log => {
    const { transactionHash, topics: told, data } = Object(log)
    return { transaction: lower(transactionHash), topics: [...Object(told)].map(lower), data: String(data) }
  })
}

const wordsOf = (addresses: ReadonlyArray<string>) =>
  addresses.flatMap(address => (isHex(address) ? [pad(address)] : []))

export const requestName = (signer: string, nonce: string): string => `${signer}/${nonce}`

/** Requests of these signers that the forwarder executed with success. */
export const executionsBy = async (
  rpc: Rpc,
  range: Range,
  forwarder: string,
  signers: ReadonlyArray<string>
): Promise<ReadonlyArray<SeenEvent>> =>
  (await logsOf(rpc, range, forwarder, [EXECUTED, wordsOf(signers)])).map(
    ({ transaction, topics, data }) => ({
      transaction,
      name: requestName(`0x${topics[1]?.slice(-40)}`, String(BigInt(data.slice(0, 66))))
    })
  )

/** Operations of these wallets that the entry point carried out. */
export const carriedBy = async (
  rpc: Rpc,
  range: Range,
  entryPoint: string,
  senders: ReadonlyArray<string>
): Promise<ReadonlyArray<SeenEvent>> =>
  (await logsOf(rpc, range, entryPoint, [CARRIED, null, wordsOf(senders)])).map(
    ({ transaction, topics }) => ({
      transaction,
      name: topics[1] ?? ""
    })
  )

/** In lower case; undefined where none lives, or the wallet has no guard. */
export const liveAt = async (rpc: Rpc, wallet: string): Promise<string | undefined> => {
  if (!isHex(wallet)) return undefined
  const guard = await guardOf(rpc, wallet).catch(() => undefined)
  return guard === undefined ? undefined : (await livePermission(rpc, guard, wallet))?.toLowerCase()
}

/** Of those that are asked for, the ones that the chain includes. */
export const includedOf = async (rpc: Rpc, hashes: ReadonlyArray<string>): Promise<ReadonlySet<string>> => {
  const included = new Set<string>()
  for (const hash of hashes) {
    const receipt = await rpc.call("eth_getTransactionReceipt", [hash])
    if (receipt !== null && receipt !== undefined) included.add(hash)
  }
  return included
}
