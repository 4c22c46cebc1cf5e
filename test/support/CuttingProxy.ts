/** A way to a node that notes each read by what it asks, counts round trips, and cuts single reads on request. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { keptOpen } from "./KeptOpen.ts"

type Json = Readonly<Record<string, unknown>>

/** A revert of the contract, or a node that refuses to run the call. */
export type Cut = "revert" | "refuse"

export interface CuttingProxy {
  readonly url: string
  /** What `work` asks of the node, each read once and under the name that `cutting` takes. */
  readonly during: <A>(work: () => Promise<A>) => Promise<Traced<A>>
  readonly cutting: <A>(read: string, cut: Cut, work: () => Promise<A>) => Promise<A>
  readonly stop: () => Promise<void>
}

export interface Traced<A> {
  readonly value: A
  readonly reads: ReadonlyArray<string>
  readonly roundTrips: number
}

const ERRORS = {
  revert: { code: 3, message: "execution reverted", data: "0x" },
  refuse: { code: -32_000, message: "refused" }
} as const

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

const partsOf = (call: unknown) => {
  const { method, params, id } = isObject(call) ? call : {}
  const [first, second] = list(params)
  return { id, method: String(method), first, second }
}

/** Which contract and calldata an `eth_call` asks, which address or slot another read does. */
const nameOf = (call: unknown): string => {
  const { method, first, second } = partsOf(call)
  if (isObject(first)) return [method, first.to, first.data, first.from ?? "", first.value ?? ""].join(" ")
  return [method, first, typeof second === "string" ? second : ""].join(" ")
}

const STATE = /^eth_(call|estimateGas|gasPrice|getCode|getStorageAt|getBalance|getLogs) /

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const portOf = (address: AddressInfo | string | null) =>
  address !== null && typeof address === "object" ? address.port : 0

export const startCuttingProxy = async (upstream: string): Promise<CuttingProxy> => {
  const noted: Array<ReadonlyArray<string>> = []
  let cut: { readonly read: string; readonly how: Cut } | undefined

  const answered = (question: unknown, answer: unknown): unknown => {
    if (cut === undefined || nameOf(question) !== cut.read) return answer
    return { jsonrpc: "2.0", id: partsOf(question).id, error: ERRORS[cut.how] }
  }

  const pass = async (body: string): Promise<string> => {
    const sent: unknown = JSON.parse(body)
    const questions = list(sent)
    noted.push(questions.map(nameOf))
    const headers = { "content-type": "application/json" }
    const got: unknown = await (await fetch(upstream, { method: "POST", headers, body })).json()
    if (!Array.isArray(sent)) return JSON.stringify(answered(sent, got))
    const byId = new Map(list(got).map(answer => [isObject(answer) ? answer.id : undefined, answer]))
    return JSON.stringify(questions.map(each => answered(each, byId.get(partsOf(each).id))))
  }

  const server = createServer(keptOpen, async (request, response) => {
    const text = await textOf(request).then(pass)
    response.writeHead(200, { "content-type": "application/json" }).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))

  const during = async <A>(work: () => Promise<A>): Promise<Traced<A>> => {
    const before = noted.length
    const value = await work()
    const trips = noted.slice(before)
    const reads = [...new Set(trips.flat().filter(name => STATE.test(name)))]
    return { value, reads, roundTrips: trips.length }
  }

  const cutting = async <A>(read: string, how: Cut, work: () => Promise<A>): Promise<A> => {
    cut = { read, how }
    try {
      return await work()
    } finally {
      cut = undefined
    }
  }

  const stop = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${portOf(server.address())}`, during, cutting, stop }
}
