/** A scriptable JSON-RPC node over real HTTP: an honest little chain until a test tells it to lie, stall or break. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { setTimeout } from "node:timers/promises"
import { Effect, type Scope } from "effect"
import { keccak256, keccak256Utf8 } from "../../src/values/Keccak.ts"
import { keptOpen } from "./KeptOpen.ts"
import { close, listen } from "./Listening.ts"
import { answerFaultily, answerJson, type WireFault } from "./WireFaults.ts"

export type Reply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message?: string; readonly data?: unknown } }
  | { readonly wire: WireFault }

export type Handler = (params: ReadonlyArray<unknown>) => Reply | Promise<Reply>

export interface RecordedCall {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  readonly id: unknown
  /** Calls of one HTTP request share this number. */
  readonly roundTrip: number
}

export interface FakeBlock {
  readonly number: bigint
  readonly hash: `0x${string}`
  readonly parentHash: `0x${string}`
  readonly timestamp: bigint
}

export interface FakeNodeOptions {
  readonly chainId?: number
  /** How batches are met: answered in reversed order, or refused by one error object or a status, or beyond so many calls by an error to the first. */
  readonly batches?: "taken" | "refusedByError" | "refusedByStatus" | number
  /** Real time that every honest answer takes, for load rather than for tests of deadlines. */
  readonly answersAfterMillis?: number
}

export interface FakeNode {
  readonly url: string
  readonly calls: ReadonlyArray<RecordedCall>
  readonly roundTrips: () => number
  readonly connections: () => number
  readonly methods: () => ReadonlyArray<string>
  readonly head: () => FakeBlock
  /** Appends a block; the timestamp is in seconds. */
  readonly mine: (timestamp?: bigint) => FakeBlock
  /** Replaces the newest blocks by as many others. */
  readonly reorg: (depth: number) => void
  /** Answers a method this way from now on. */
  readonly on: (method: string, reply: Reply | Handler) => void
  /** Answers the next call of a method this way, before any `on`. */
  readonly once: (method: string, reply: Reply | Handler) => void
  /** Resolves when so many calls of the method have arrived. */
  readonly received: (method: string, count?: number) => Promise<void>
  readonly stop: () => Promise<void>
}

export const hex = (value: bigint | number): `0x${string}` => `0x${value.toString(16)}`

interface FakeChain {
  readonly blocks: Array<FakeBlock>
  readonly mine: (timestamp?: bigint) => FakeBlock
  readonly reorg: (depth: number) => void
}

const makeChain = (chainId: number): FakeChain => {
  const blocks: Array<FakeBlock> = []
  let branch = 0
  const mine = (timestamp?: bigint): FakeBlock => {
    const parent = blocks.at(-1)
    const number = BigInt(blocks.length)
    const hash = keccak256Utf8(`${chainId}/${branch}/${number}`)
    const parentHash = parent?.hash ?? keccak256Utf8("before")
    const block = { number, hash, parentHash, timestamp: timestamp ?? (parent?.timestamp ?? -1n) + 1n }
    blocks.push(block)
    return block
  }
  const reorg = (depth: number) => {
    branch++
    const lost = blocks.splice(-depth)
    for (const { timestamp } of lost) mine(timestamp)
  }
  mine()
  return { blocks, mine, reorg }
}

const written = (block: FakeBlock | undefined) =>
  block === undefined
    ? null
    : { ...block, number: hex(block.number), timestamp: hex(block.timestamp), baseFeePerGas: "0x7" }

const blockAt = ({ blocks }: FakeChain, tag: unknown) =>
  ["latest", "safe", "finalized", "pending"].includes(String(tag))
    ? blocks.at(-1)
    : blocks.find(block => hex(block.number) === tag)

const honest = (chainId: number, chain: FakeChain): Map<string, Handler> =>
  new Map<string, Handler>([
    ["eth_chainId", () => ({ result: hex(chainId) })],
    ["eth_getBlockByNumber", ([tag]) => ({ result: written(blockAt(chain, tag)) })],
    [
      "eth_getBlockByHash",
      ([hash]) => ({ result: written(chain.blocks.find(block => block.hash === hash)) })
    ],
    ["eth_getTransactionReceipt", () => ({ result: null })],
    ["eth_getTransactionByHash", () => ({ result: null })],
    ["eth_getTransactionCount", () => ({ result: "0x0" })],
    ["eth_getBalance", () => ({ result: hex(10n ** 18n) })],
    ["eth_getCode", () => ({ result: "0x" })],
    ["eth_getStorageAt", () => ({ result: `0x${"00".repeat(32)}` })],
    ["eth_call", () => ({ result: "0x" })],
    ["eth_estimateGas", () => ({ result: "0x5208" })],
    ["eth_gasPrice", () => ({ result: "0x3b9aca00" })],
    ["eth_sendRawTransaction", ([raw]) => ({ result: keccak256(Buffer.from(String(raw).slice(2), "hex")) })]
  ])

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

interface Wanted {
  readonly method: string
  readonly count: number
  readonly resolve: () => void
}

const makeRecorder = () => {
  const calls: Array<RecordedCall> = []
  let wanted: ReadonlyArray<Wanted> = []
  const count = (method: string) => calls.filter(call => call.method === method).length
  const record = (call: RecordedCall) => {
    calls.push(call)
    const met = wanted.filter(({ method, count: needed }) => count(method) >= needed)
    wanted = wanted.filter(want => !met.includes(want))
    for (const { resolve } of met) resolve()
  }
  const received = (method: string, needed = 1) =>
    new Promise<void>(resolve => {
      if (count(method) >= needed) resolve()
      else wanted = [...wanted, { method, count: needed, resolve }]
    })
  return { calls, record, received }
}

const envelope = (id: unknown, reply: Exclude<Reply, { readonly wire: WireFault }>) =>
  "error" in reply
    ? { jsonrpc: "2.0", id, error: { message: "refused", ...reply.error } }
    : { jsonrpc: "2.0", id, result: reply.result }

/** A reply that the wire then spoils is the one that the node would have given. */
interface WireReply {
  readonly reply: Exclude<Reply, { readonly wire: WireFault }>
  readonly fault?: WireFault
}

const makeScript = (defaults: Map<string, Handler>) => {
  const queued = new Map<string, Array<Reply | Handler>>()
  const handlers = new Map<string, Reply | Handler>(defaults)
  const given = async (
    scripted: Reply | Handler | undefined,
    params: ReadonlyArray<unknown>
  ): Promise<Reply> =>
    typeof scripted === "function" ? scripted(params) : (scripted ?? { error: { code: -32601 } })
  const replyTo = async (method: string, params: ReadonlyArray<unknown>): Promise<WireReply> => {
    const reply = await given(queued.get(method)?.shift() ?? handlers.get(method), params)
    if (!("wire" in reply)) return { reply }
    const meant = await given(defaults.get(method), params)
    return { reply: "wire" in meant ? { result: null } : meant, fault: reply.wire }
  }
  const once: FakeNode["once"] = (method, reply) => queued.set(method, [...(queued.get(method) ?? []), reply])
  const on: FakeNode["on"] = (method, reply) => handlers.set(method, reply)
  return { replyTo, once, on }
}

type Script = ReturnType<typeof makeScript>

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined

const recordedCall = (question: unknown, roundTrip: number): RecordedCall => {
  const params = member(question, "params")
  return {
    method: String(member(question, "method")),
    params: Array.isArray(params) ? params : [],
    id: member(question, "id"),
    roundTrip
  }
}

const answerCalls = async (
  response: ServerResponse,
  calls: ReadonlyArray<RecordedCall>,
  batch: boolean,
  { replyTo }: Script
) => {
  const replies = await Promise.all(
    calls.map(async call => ({ id: call.id, ...(await replyTo(call.method, call.params)) }))
  )
  const fault = replies.flatMap(({ fault }) => fault ?? [])[0]
  const envelopes = replies.map(({ id, reply }) => envelope(id, reply)).reverse()
  const body = JSON.stringify(batch ? envelopes : envelopes[0])
  if (fault) answerFaultily(response, body, fault)
  else answerJson(response, body)
}

type Batches = FakeNodeOptions["batches"]

const isTaken = (batch: ReadonlyArray<unknown>, batches: Batches): boolean =>
  batches === "taken" || (typeof batches === "number" && batch.length <= batches)

const refuseBatch = (response: ServerResponse, [first]: ReadonlyArray<unknown>, how: Batches) => {
  const refusal = (id: unknown) => envelope(id, { error: { code: -32600, message: "no batches" } })
  if (how === "refusedByStatus") response.writeHead(400).end("no batches")
  else if (how === "refusedByError") answerJson(response, JSON.stringify(refusal(null)))
  else answerJson(response, JSON.stringify([refusal(member(first, "id"))]))
}

export const startFakeNode = async ({
  chainId = 1,
  batches = "taken",
  answersAfterMillis = 0
}: FakeNodeOptions = {}): Promise<FakeNode> => {
  const chain = makeChain(chainId)
  const script = makeScript(honest(chainId, chain))
  const { calls, record, received } = makeRecorder()
  let roundTrips = 0
  let connections = 0
  const server = createServer(keptOpen, async (request, response) => {
    const body = await readBody(request)
    const roundTrip = ++roundTrips
    const batch = Array.isArray(body)
    if (Array.isArray(body) && !isTaken(body, batches)) return refuseBatch(response, body, batches)
    const asked = (Array.isArray(body) ? body : [body]).map(question => recordedCall(question, roundTrip))
    for (const call of asked) record(call)
    if (answersAfterMillis > 0) await setTimeout(answersAfterMillis)
    return answerCalls(response, asked, batch, script)
  })
  server.on("connection", () => connections++)
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    roundTrips: () => roundTrips,
    connections: () => connections,
    methods: () => calls.map(call => call.method),
    head: () => chain.blocks.at(-1) ?? chain.mine(),
    mine: chain.mine,
    reorg: chain.reorg,
    on: script.on,
    once: script.once,
    received,
    stop: () => close(server)
  }
}

export const fakeNode = (options: FakeNodeOptions = {}): Effect.Effect<FakeNode, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => startFakeNode(options)),
    node => Effect.promise(node.stop)
  )
