/** A node that accepts every transaction and answers everything after a fixed time; one path for each chain. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Either } from "effect"
import { parseSignedTransaction, type SignedTransaction } from "../src/chain/SignedTransaction.ts"
import { keccak256Utf8 } from "../src/values/Keccak.ts"

const ANSWER_MILLIS = Number(process.env.ANSWER_MILLIS ?? 20)
const MAXIMUM_RAW_BYTES = 262_144

interface Accepted {
  readonly transaction: SignedTransaction
  /** The block that it is in, or will be. */
  readonly block: number
}

const accepted = new Map<string, Accepted>()
const nonces = new Map<string, number>()
const stats = { roundTrips: 0, calls: 0, busyMillis: 0 }

const hex = (value: number | bigint): string => `0x${value.toString(16)}`

/** A block each second. */
const headNumber = (): number => Math.floor(Date.now() / 1000)
const hashes = new Map<string, string>()
const hashOf = (chain: number, number: number): string => {
  const name = `${chain}/${number}`
  const known = hashes.get(name)
  if (known !== undefined) return known
  const hash = keccak256Utf8(name)
  hashes.set(name, hash)
  return hash
}

const block = (chain: number, number: number) =>
  number > headNumber()
    ? null
    : {
        number: hex(number),
        hash: hashOf(chain, number),
        parentHash: hashOf(chain, number - 1),
        timestamp: hex(number),
        baseFeePerGas: "0x7"
      }

const blockAt = (chain: number, tag: unknown) =>
  block(chain, String(tag).startsWith("0x") ? Number(tag) : headNumber())

const minedIn = ({ transaction, block: number }: Accepted) =>
  number > headNumber()
    ? { blockHash: null, blockNumber: null }
    : { blockHash: hashOf(transaction.chainId, number), blockNumber: hex(number) }

const known = (hash: unknown) => {
  const found = accepted.get(String(hash))
  if (found === undefined) return null
  const { transaction } = found
  return { hash, from: transaction.sender, nonce: hex(transaction.nonce), ...minedIn(found) }
}

const receipt = (hash: unknown) => {
  const found = accepted.get(String(hash))
  if (found === undefined || found.block > headNumber()) return null
  const { transaction } = found
  return {
    transactionHash: hash,
    ...minedIn(found),
    status: "0x1",
    from: transaction.sender,
    to: transaction.to,
    logs: []
  }
}

const walletOf = (chain: number, address: unknown) => `${chain}/${String(address).toLowerCase()}`

const accept = (chain: number, raw: unknown) => {
  const parsed = parseSignedTransaction(`0x${String(raw).slice(2)}`, MAXIMUM_RAW_BYTES)
  if (Either.isLeft(parsed)) return undefined
  const transaction = parsed.right
  accepted.set(transaction.hash, { transaction, block: headNumber() + 1 })
  nonces.set(walletOf(chain, transaction.sender), Number(transaction.nonce) + 1)
  return transaction.hash
}

const resultOf = (chain: number, method: string, params: ReadonlyArray<unknown>): unknown => {
  switch (method) {
    case "eth_chainId":
      return hex(chain)
    case "eth_getBlockByNumber":
      return blockAt(chain, params[0])
    case "eth_getTransactionByHash":
      return known(params[0])
    case "eth_getTransactionReceipt":
      return receipt(params[0])
    case "eth_getTransactionCount":
      return hex(nonces.get(walletOf(chain, params[0])) ?? 0)
    case "eth_getBalance":
      return hex(10n ** 24n)
    case "eth_getCode":
      return "0x6001"
    case "eth_call":
      return `0x${"00".repeat(32)}`
    case "eth_estimateGas":
      return hex(200_000)
    case "eth_sendRawTransaction":
      return accept(chain, params[0])
    default:
      return undefined
  }
}

interface Question {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

const answer = (chain: number, { id, method, params }: Question) => {
  const result = resultOf(chain, method, params)
  return result === undefined
    ? { jsonrpc: "2.0", id, error: { code: -32601, message: "not served" } }
    : { jsonrpc: "2.0", id, result }
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

createServer(async (request, response) => {
  const arrived = performance.now()
  if (request.method === "GET") return sendJson(response, stats)
  const asked: Question | ReadonlyArray<Question> = JSON.parse(await bodyOf(request))
  const chain = Number(request.url?.slice(1))
  const questions = "method" in asked ? [asked] : asked
  const answers = questions.map(question => answer(chain, question))
  const left = ANSWER_MILLIS - (performance.now() - arrived)
  setTimeout(
    () => {
      sendJson(response, "method" in asked ? answers[0] : answers)
      stats.roundTrips += 1
      stats.calls += questions.length
      stats.busyMillis += performance.now() - arrived
    },
    Math.max(0, left)
  )
}).listen(Number(process.env.PORT), "127.0.0.1")
