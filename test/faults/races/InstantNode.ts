/** A node of one chain that answers at once, includes every transaction in the next second's block, and keeps all bytes that reached it. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Either } from "effect"
import { parseSignedTransaction, type SignedTransaction } from "../../../src/chain/SignedTransaction.ts"
import { keccak256, keccak256Utf8 } from "../../../src/values/Keccak.ts"
import { hex } from "../../support/FakeNode.ts"
import type { ProxyFault } from "../../support/RecordingProxy.ts"

const MAXIMUM_RAW_BYTES = 262_144

export interface Arrived {
  readonly hash: string
  readonly sender: string
  readonly nonce: string
  /** How often exactly these bytes came. */
  times: number
}

export interface InstantNode {
  readonly url: string
  /** By hash. */
  readonly arrived: ReadonlyMap<string, Arrived>
  readonly arrivals: () => number
  readonly nextNonce: (wallet: string) => number
  /** Delays before the answer are all that it can do. */
  readonly fault: (fault: ProxyFault) => Promise<void>
  readonly stop: () => Promise<void>
}

interface Question {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
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
  const include = (transaction: SignedTransaction) => {
    const block = headNumber() + 1
    included.set(transaction.hash, { transaction, block })
    blocks.set(block, [...(blocks.get(block) ?? []), transaction.hash])
    nonces.set(transaction.sender.toLowerCase(), Number(transaction.nonce) + 1)
  }
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
    include(parsed.right)
    return hash
  }
  return { included, blocks, arrived, arrivals: () => arrivals, nextNonce, take }
}

type Ledger = ReturnType<typeof makeLedger>

const hashOf = (number: number): string => keccak256Utf8(`instant/${number}`)

const block = (number: number, { blocks }: Ledger) =>
  number > headNumber()
    ? null
    : {
        number: hex(number),
        hash: hashOf(number),
        parentHash: hashOf(number - 1),
        timestamp: hex(number),
        baseFeePerGas: "0x7",
        transactions: blocks.get(number) ?? []
      }

const minedIn = (number: number) =>
  number > headNumber()
    ? { blockHash: null, blockNumber: null }
    : { blockHash: hashOf(number), blockNumber: hex(number) }

const known = (hash: unknown, { included }: Ledger) => {
  const found = included.get(String(hash))
  if (found === undefined) return null
  const { sender, nonce } = found.transaction
  return { hash, from: sender, nonce: hex(nonce), ...minedIn(found.block) }
}

const receipt = (hash: unknown, { included }: Ledger) => {
  const found = included.get(String(hash))
  if (found === undefined || found.block > headNumber()) return null
  const { sender, to } = found.transaction
  return { transactionHash: hash, ...minedIn(found.block), status: "0x1", from: sender, to, logs: [] }
}

const resultOf = (chainId: number, { method, params }: Question, ledger: Ledger): unknown => {
  switch (method) {
    case "eth_chainId":
      return hex(chainId)
    case "eth_getBlockByNumber":
      return block(String(params[0]).startsWith("0x") ? Number(params[0]) : headNumber(), ledger)
    case "eth_getTransactionByHash":
      return known(params[0], ledger)
    case "eth_getTransactionReceipt":
      return receipt(params[0], ledger)
    case "eth_getTransactionCount":
      return hex(ledger.nextNonce(String(params[0])))
    case "eth_getBalance":
      return hex(10n ** 24n)
    case "eth_getCode":
      return "0x6001"
    case "eth_call":
      return `0x${"00".repeat(32)}`
    case "eth_estimateGas":
      return hex(200_000)
    case "eth_sendRawTransaction":
      return ledger.take(params[0])
    default:
      return undefined
  }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const send = (response: ServerResponse, value: unknown) => {
  const body = JSON.stringify(value)
  response
    .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    .end(body)
}

export const startInstantNode = async (chainId: number): Promise<InstantNode> => {
  const ledger = makeLedger()
  const slow = new Map<string, number>()
  const delayOf = (questions: ReadonlyArray<Question>): number => {
    const method = questions.find(question => slow.has(question.method))?.method ?? ""
    const millis = slow.get(method) ?? 0
    slow.delete(method)
    return millis
  }
  const answer = (question: Question) => {
    const result = resultOf(chainId, question, ledger)
    return result === undefined
      ? { jsonrpc: "2.0", id: question.id, error: { code: -32000, message: "refused" } }
      : { jsonrpc: "2.0", id: question.id, result }
  }
  const server = createServer(async (request, response) => {
    const asked: Question | ReadonlyArray<Question> = JSON.parse(await bodyOf(request))
    const questions = "method" in asked ? [asked] : asked
    const answers = questions.map(answer)
    const millis = delayOf(questions)
    if (millis > 0) await new Promise(resolve => setTimeout(resolve, millis))
    send(response, "method" in asked ? answers[0] : answers)
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    arrived: ledger.arrived,
    arrivals: ledger.arrivals,
    nextNonce: ledger.nextNonce,
    fault: async ({ method, act }) => {
      if (act.kind === "delay") slow.set(method, act.millis)
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
