/** Listens on loopback for whoever reads the source. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { SourceAnswer, SourceRequest } from "./Answers.ts"

export interface Listening {
  readonly url: string
  readonly stop: () => Promise<void>
}

type Handle = (request: SourceRequest) => Promise<SourceAnswer>

const bodyOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("utf8")
}

const respond = async (
  incoming: IncomingMessage,
  response: ServerResponse,
  handle: Handle
): Promise<void> => {
  const { pathname } = new URL(incoming.url ?? "/", "http://localhost")
  const body = await bodyOf(incoming)
  const {
    status,
    contentType,
    body: text
  } = await handle({
    method: incoming.method ?? "GET",
    path: pathname,
    headers: incoming.headers,
    body
  })
  response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(text) })
  response.end(text)
}

const closed = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

export const listen = (handle: Handle): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server = createServer((incoming, response) => {
      respond(incoming, response, handle).catch(() => response.destroy())
    })
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({ url: `http://127.0.0.1:${port}/graphql`, stop: () => closed(server) })
    })
  })
