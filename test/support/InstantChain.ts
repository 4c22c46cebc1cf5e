/** A chain that takes every transaction in the order of its nonces, includes it in the next second's block, and keeps all bytes that reached it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Either } from "effect"
import { parseSignedTransaction, type SignedTransaction } from "../../src/direct/SignedTransaction.ts"
import { keccak256, keccak256Utf8 } from "../../src/values/Keccak.ts"
import { hex } from "./FakeNode.ts"
import { keptOpen } from "./KeptOpen.ts"

const MAXIMUM_RAW_BYTES = 262_144

export interface Question {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

export interface Arrived {
  readonly hash: string
  readonly sender: string
  readonly nonce: string
  /** How often exactly these bytes came. */
  times: number
}

interface Included {
  readonly transaction: SignedTransaction
  readonly block: number
}

/** A block each second, all of them final. */
const headNumber = (): number => Math.floor(Date.now() / 1000)

const makeLedger = () => {
  const included = new Map<string, Included>()
  const blocks = new Map<number, Array<string>>()
  const nonces = new Map<string, number>()
  const arrived = new Map<string, Arrived>()
  let arrivals = 0
  const nextNonce = (wallet: string) => nonces.get(wallet.toLowerCase()) ?? 0
  /** The hash where it is taken. */
  const take = (raw: unknown): string | undefined => {
    const bytes = String(raw)
    const hash = keccak256(Buffer.from(bytes.slice(2), "hex"))
    arrivals++
    const before = arrived.get(hash)
    if (before !== undefined) {
      before.times++
      return undefined
    }
    const parsed = parseSignedTransaction(`0x${bytes.slice(2)}`, MAXIMUM_RAW_BYTES)
    if (Either.isLeft(parsed)) return undefined
    const { sender, nonce } = parsed.right
    arrived.set(hash, { hash, sender: sender.toLowerCase(), nonce: String(nonce), times: 1 })
    if (Number(nonce) !== nextNonce(sender)) return undefined
    const block = headNumber() + 1
    included.set(hash, { transaction: parsed.right, block })
    const others = blocks.get(block) ?? []
    blocks.set(block, others)
    others.push(hash)
    nonces.set(sender.toLowerCase(), Number(nonce) + 1)
    return hash
  }
  const whole = (hash: string) => {
    const { sender, nonce, to, value, data } = included.get(hash)?.transaction ?? {}
    return { hash, from: sender, to, nonce: hex(nonce ?? 0), value: hex(value ?? 0n), input: data }
  }
  const within = (block: number, isWhole = false) => {
    const hashes = blocks.get(block) ?? []
    return { transactions: isWhole ? hashes.map(whole) : hashes }
  }
  return { included, within, arrived, arrivals: () => arrivals, nextNonce, take }
}

const makeBlocks = (chainId: number, within: (block: number, isWhole: boolean) => object) => {
  const hashes = new Map<number, string>()
  const hashOf = (number: number): string => {
    const known = hashes.get(number)
    if (known !== undefined) return known
    const hash = keccak256Utf8(`${chainId}/${number}`)
    hashes.set(number, hash)
    return hash
  }
  const at = (tag: unknown, isWhole: unknown) => {
    const number = String(tag).startsWith("0x") ? Number(tag) : headNumber()
    if (number > headNumber()) return null
    return {
      number: hex(number),
      hash: hashOf(number),
      parentHash: hashOf(number - 1),
      timestamp: hex(number),
      baseFeePerGas: "0x7",
      ...within(number, isWhole === true)
    }
  }
  const minedIn = (number: number) =>
    number > headNumber()
      ? { blockHash: null, blockNumber: null }
      : { blockHash: hashOf(number), blockNumber: hex(number) }
  return { at, minedIn }
}

type Results = Readonly<Record<string, (first: unknown, second: unknown) => unknown>>

/** Its blocks list their transactions unless they are kept small; what stands on it may have answers of its own. */
export const instantChain = (chainId: number, blocks: "listing" | "small" = "listing", own: Results = {}) => {
  const { included, within, arrived, arrivals, nextNonce, take } = makeLedger()
  const { at, minedIn } = makeBlocks(chainId, blocks === "listing" ? within : () => ({}))
  const known = (hash: unknown) => {
    const found = included.get(String(hash))
    if (found === undefined) return null
    const { sender, nonce } = found.transaction
    return { hash, from: sender, nonce: hex(nonce), ...minedIn(found.block) }
  }
  const receipt = (hash: unknown) => {
    const found = included.get(String(hash))
    if (found === undefined || found.block > headNumber()) return null
    const { sender, to } = found.transaction
    return { transactionHash: hash, ...minedIn(found.block), status: "0x1", from: sender, to, logs: [] }
  }
  const results: Results = {
    eth_chainId: () => hex(chainId),
    eth_getBlockByNumber: at,
    eth_getTransactionByHash: known,
    eth_getTransactionReceipt: receipt,
    eth_getTransactionCount: wallet => hex(nextNonce(String(wallet))),
    eth_getBalance: () => hex(10n ** 24n),
    eth_getCode: () => "0x6001",
    eth_call: () => `0x${"00".repeat(32)}`,
    eth_estimateGas: () => hex(200_000),
    eth_sendRawTransaction: take
  }
  const answer = ({ id, method, params }: Question) => {
    const result = own[method]?.(params[0], params[1]) ?? results[method]?.(params[0], params[1])
    return result === undefined
      ? { jsonrpc: "2.0", id, error: { code: -32000, message: "refused" } }
      : { jsonrpc: "2.0", id, result }
  }
  return { arrived, arrivals, nextNonce, answer }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const sendJson = (response: ServerResponse, value: unknown) => {
  const body = JSON.stringify(value)
  response
    .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    .end(body)
}

/** Speaks JSON-RPC, single and in batches, each path apart; GET shows what `look` says. */
export const rpcServer = (
  answers: (questions: ReadonlyArray<Question>, path: string) => Promise<ReadonlyArray<unknown>>,
  look: () => unknown = () => ({})
): Server =>
  createServer(keptOpen, async (request, response) => {
    if (request.method === "GET") return sendJson(response, look())
    const asked: Question | ReadonlyArray<Question> = JSON.parse(await bodyOf(request))
    const given = await answers("method" in asked ? [asked] : asked, request.url ?? "/")
    sendJson(response, "method" in asked ? given[0] : given)
  })
