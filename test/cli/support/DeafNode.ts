/** Stands before a node: while it is deaf, transactions reach the node, and neither that nor what became of them is told; or it tells as several nodes do, of which some are behind others. */
import { createServer } from "node:http"
import { keptOpen } from "../../support/KeptOpen.ts"
import { close, listen } from "../../support/Listening.ts"

type Deafness = "lost" | "refused" | "behind" | "ahead" | "late"

export interface DeafNode {
  readonly url: string
  readonly deafen: (how: Deafness | undefined) => void
  readonly stop: () => Promise<void>
}

const told = (body: unknown): string => JSON.stringify({ jsonrpc: "2.0", id: 1, ...Object(body) })

/** In the place of the node's own results, where it is. */
const TOLD: Readonly<Record<Deafness, Readonly<Record<string, unknown>>>> = {
  lost: { eth_getTransactionByHash: null },
  refused: {},
  behind: { eth_getTransactionByHash: null, eth_getTransactionReceipt: null },
  ahead: { eth_blockNumber: "0x0" },
  late: {}
}

export const deafNode = async (node: string): Promise<DeafNode> => {
  let deaf: Deafness | undefined
  /** What is told late is the answer to the question before. */
  let count: string | undefined
  const server = createServer(keptOpen, async (request, response) => {
    const parts: Array<Uint8Array> = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    const { method } = JSON.parse(body)
    const isSent = method === "eth_sendRawTransaction"
    if (deaf === "refused" && isSent)
      return response.end(told({ error: { code: -32_000, message: "nonce too low" } }))
    const results = deaf === undefined ? {} : TOLD[deaf]
    if (method in results) return response.end(told({ result: results[method] }))
    const headers = { "content-type": "application/json" }
    const text = await (await fetch(node, { method: "POST", headers, body })).text()
    if (deaf === "late" && method === "eth_getTransactionCount") {
      const before = count
      count = text
      return response.end(before ?? text)
    }
    return deaf === "lost" && isSent ? response.destroy() : response.end(text)
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    deafen: how => {
      deaf = how
    },
    stop: () => close(server)
  }
}
