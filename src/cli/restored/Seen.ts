/** What a chain shows since a moment: the transactions of senders, and what forwarders and entry points carried out. */
import { isHex, numberToHex, pad, toEventSelector } from "viem"
import { CliFailure, ExitCode } from "../Failure.ts"
import type { Rpc } from "../Rpc.ts"

const EXECUTED = toEventSelector("ExecutedForwardRequest(address,uint256,bool)")
const CARRIED = toEventSelector("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)")
const BLOCKS_TOGETHER = 50
/** More are refused by nodes that bound what they look through. */
const LOGGED_TOGETHER = 10_000
const TOLD_EACH = 5_000

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
  /** The contract that tells it. */
  readonly by: string
  /** The signer of a request with its nonce, or the hash of an operation. */
  readonly name: string
}

export interface Range {
  readonly from: number
  readonly to: number
}

const lower = (value: unknown): string => String(value ?? "").toLowerCase()

const ungiven = (message: string): CliFailure =>
  new CliFailure(ExitCode.refused, message, "Name a node that does.")

const blockAt = async (rpc: Rpc, tag: string) => {
  const block = Object(await rpc.call("eth_getBlockByNumber", [tag, false]))
  return { number: Number(block.number), timestamp: Number(block.timestamp) }
}

/** From the first block at or after those seconds to the newest one; a block that the node does not give counts as an earlier one. */
export const blocksSince = async (rpc: Rpc, seconds: number): Promise<Range> => {
  const head = await blockAt(rpc, "latest")
  if (Number.isNaN(head.number)) throw ungiven("The node does not give its newest block.")
  const timeOf = async (number: number) => (await blockAt(rpc, numberToHex(number))).timestamp
  let low = 0
  let high = head.number
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await timeOf(middle)) >= seconds) high = middle
    else low = middle + 1
  }
  if (low === 0 || (await timeOf(low - 1)) < seconds) return { from: low, to: head.number }
  throw ungiven(`The node does not give block ${low - 1}, which may be of after --since.`)
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
  throw ungiven("The node does not give whole blocks in batches.")
}

/** Those that the senders signed themselves; tells how far it got. */
export const transactionsOf = async (
  rpc: Rpc,
  { from, to }: Range,
  senders: ReadonlySet<string>,
  tell: (done: number) => void
): Promise<ReadonlyArray<SeenTransaction>> => {
  const seen: Array<SeenTransaction> = []
  if (senders.size === 0) return seen
  for (let first = from; first <= to; first += BLOCKS_TOGETHER) {
    const count = Math.min(BLOCKS_TOGETHER, to - first + 1)
    if (first > from && (first - from) % TOLD_EACH === 0) tell(first - from)
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

/** Of any contract: what the backup does not know may have gone by one that it does not know either. */
const logsOf = async (rpc: Rpc, { from, to }: Range, topics: ReadonlyArray<unknown>) => {
  const logs: Array<unknown> = []
  for (let first = from; first <= to; first += LOGGED_TOGETHER) {
    const toBlock = numberToHex(Math.min(to, first + LOGGED_TOGETHER - 1))
    const found = await rpc.call("eth_getLogs", [{ topics, fromBlock: numberToHex(first), toBlock }])
    if (!Array.isArray(found)) throw ungiven("The node gives no list of events.")
    for (const log of found) logs.push(log)
  }
  return logs.map(log => {
    const { transactionHash, address: by, topics: told, data } = Object(log)
    const event = { transaction: lower(transactionHash), by: lower(by) }
    return { ...event, topics: [...Object(told)].map(lower), data: String(data) }
  })
}

/** A node takes so many words in one question. */
const MOST_WORDS = 500

const wordsOf = (addresses: ReadonlyArray<string>) =>
  addresses.length > MOST_WORDS ? null : addresses.flatMap(address => (isHex(address) ? [pad(address)] : []))

const WORD_DIGITS = 66

const addressIn = (topic: string | undefined): string => `0x${topic?.slice(-40)}`

export const requestName = (signer: string, nonce: string): string => `${signer}/${nonce}`

/** Requests of these signers that a forwarder executed. */
export const executionsOf = async (
  rpc: Rpc,
  range: Range,
  signers: ReadonlyArray<string>
): Promise<ReadonlyArray<SeenEvent>> => {
  if (signers.length === 0) return []
  const known = new Set(signers)
  const logs = await logsOf(rpc, range, [EXECUTED, wordsOf(signers)])
  return logs.flatMap(({ transaction, by, topics, data }) => {
    const signer = addressIn(topics[1])
    const word = data.slice(0, WORD_DIGITS)
    return known.has(signer) && isHex(word)
      ? [{ transaction, by, name: requestName(signer, String(BigInt(word))) }]
      : []
  })
}

/** Operations of these wallets that an entry point carried out. */
export const carriedOf = async (
  rpc: Rpc,
  range: Range,
  senders: ReadonlyArray<string>
): Promise<ReadonlyArray<SeenEvent>> => {
  if (senders.length === 0) return []
  const known = new Set(senders)
  const logs = await logsOf(rpc, range, [CARRIED, null, wordsOf(senders)])
  return logs.flatMap(({ transaction, by, topics }) =>
    known.has(addressIn(topics[2])) ? [{ transaction, by, name: topics[1] ?? "" }] : []
  )
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
