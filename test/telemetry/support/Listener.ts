/** An HTTP server that keeps what it was sent. */
import { createServer } from "node:http"
import { keptOpen } from "../../support/KeptOpen.ts"

export interface Listener {
  readonly port: number
  readonly bodies: ReadonlyArray<string>
  readonly requests: ReadonlyArray<{ readonly path: string; readonly authorization: string | undefined }>
  readonly stop: () => Promise<void>
}

export const listener = (
  status: number,
  answer: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<Listener> =>
  new Promise(resolve => {
    const bodies: Array<string> = []
    const requests: Array<Listener["requests"][number]> = []
    const server = createServer(keptOpen, async (request, response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk)
      bodies.push(Buffer.concat(chunks).toString())
      requests.push({ path: request.url ?? "", authorization: request.headers.authorization })
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(answer)
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const stop = () =>
        new Promise<void>(done => {
          server.close(() => done())
          server.closeAllConnections()
        })
      resolve({ port, bodies, requests, stop })
    })
  })
