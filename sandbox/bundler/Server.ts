/** The paymaster's JSON-RPC on loopback, one call a request. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { BadOperation, type Paymaster } from "./Paymaster.ts"

export interface PaymasterServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

const MAXIMUM_BODY = 512 * 1024
const MAXIMUM_CONNECTIONS = 64
const REQUEST_MILLIS = 10_000
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/

const decoder = new TextDecoder("utf-8", { fatal: true })

const bodyOf = async (incoming: IncomingMessage): Promise<string | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of incoming) {
    size += chunk.length
    if (size > MAXIMUM_BODY) return undefined
    chunks.push(chunk)
  }
  return decoder.decode(Buffer.concat(chunks))
}

const fault = (code: number, message: string) => ({ error: { code, message } })

const answered = async (paymaster: Paymaster, method: unknown, params: ReadonlyArray<unknown>) => {
  const [operation, entryPoint, chainId] = params
  if (method === "pm_getPaymasterStubData")
    return { result: await paymaster.stub(operation, entryPoint, chainId) }
  if (method === "pm_getPaymasterData")
    return { result: await paymaster.data(operation, entryPoint, chainId) }
  return fault(-32601, "no such method")
}

const answer = async (paymaster: Paymaster, text: string) => {
  const { id = null, method, params } = Object(JSON.parse(text))
  const given = Array.isArray(params) ? params : []
  const reply = await answered(paymaster, method, given).catch(cause =>
    cause instanceof BadOperation ? fault(-32602, cause.message) : fault(-32603, "internal error")
  )
  return { jsonrpc: "2.0", id, ...reply }
}

const respond = async (paymaster: Paymaster, incoming: IncomingMessage, response: ServerResponse) => {
  const { host = "", "content-type": type } = incoming.headers
  const refuse = (status: number) => response.writeHead(status, { connection: "close" }).end()
  if (!LOOPBACK_HOST.test(host)) return refuse(421)
  if (incoming.method !== "POST") return refuse(405)
  if (type !== "application/json") return refuse(415)
  const text = await bodyOf(incoming)
  if (text === undefined) return refuse(413)
  const reply = await answer(paymaster, text).catch(() => ({
    jsonrpc: "2.0",
    id: null,
    ...fault(-32700, "no JSON")
  }))
  return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply))
}

export const servePaymaster = (paymaster: Paymaster, listenOn: number): Promise<PaymasterServer> => {
  const server = createServer({ requestTimeout: REQUEST_MILLIS }, (incoming, response) => {
    respond(paymaster, incoming, response).catch(() => response.destroy())
  })
  server.maxConnections = MAXIMUM_CONNECTIONS
  const stop = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(listenOn, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({ url: `http://127.0.0.1:${port}`, stop })
    })
  })
}
