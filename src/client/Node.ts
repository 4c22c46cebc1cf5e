/** A chain's node as the caller names it: asked once for each call, and never told a signed transaction. */
import { parsedUrl } from "../values/ParsedUrl.ts"
import { withoutCredentials } from "../values/UrlCredentials.ts"
import { ClientMisuse, NodeFailure } from "./Errors.ts"
import type { Eip1193Provider } from "./Signer.ts"

/** A URL, or an EIP-1193 provider. */
export type NodeAddress = string | Eip1193Provider

const DEADLINE_MILLIS = 10_000

type Place = ReturnType<typeof withoutCredentials>

const answerOf = async ({ url, headers }: Place, origin: string, body: string): Promise<unknown> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(DEADLINE_MILLIS)
  }).catch(cause => {
    throw new NodeFailure(`The node at ${origin} was not reached.`, cause)
  })
  return response.json().catch(cause => {
    throw new NodeFailure(`The node at ${origin} answered ${response.status} without JSON.`, cause)
  })
}

const overHttp = (url: string): Eip1193Provider => {
  const parsed = parsedUrl(url)
  if (parsed === undefined || !/^https?:/.test(url))
    throw new ClientMisuse("The node's URL is no http or https URL.")
  const { origin } = parsed
  const place = withoutCredentials(parsed)
  return {
    request: async ({ method, params = [] }) => {
      const asked = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      const answer = Object(await answerOf(place, origin, asked))
      if ("result" in answer) return answer.result
      if (!("error" in answer)) throw new NodeFailure(`The node at ${origin} does not speak JSON-RPC.`)
      const { code, message } = Object(answer.error)
      throw new NodeFailure(`The node at ${origin} refused ${method}: ${code} ${message}`)
    }
  }
}

export const nodeAt = (address: NodeAddress): Eip1193Provider =>
  typeof address === "string" ? overHttp(address) : address

const quantity = (value: unknown, what: string): bigint => {
  if (typeof value === "string" && /^0x[0-9a-f]+$/i.test(value)) return BigInt(value)
  throw new NodeFailure(`The node gave no ${what}.`)
}

export const requireChain = async (node: Eip1193Provider, chainId: number): Promise<void> => {
  const served = Number(quantity(await node.request({ method: "eth_chainId" }), "chain id"))
  if (served !== chainId)
    throw new NodeFailure(`The node serves chain ${served}; the call is on chain ${chainId}.`)
}

/** Those in the node's pool count. */
export const nextNonce = async (node: Eip1193Provider, wallet: string): Promise<number> => {
  const answer = await node.request({ method: "eth_getTransactionCount", params: [wallet, "pending"] })
  return Number(quantity(answer, "nonce"))
}

export const baseFee = async (node: Eip1193Provider): Promise<bigint> => {
  const block = await node.request({ method: "eth_getBlockByNumber", params: ["latest", false] })
  return quantity(Object(block).baseFeePerGas, "base fee")
}

export const suggestedTip = async (node: Eip1193Provider): Promise<bigint> =>
  quantity(await node.request({ method: "eth_maxPriorityFeePerGas" }), "suggested tip")
