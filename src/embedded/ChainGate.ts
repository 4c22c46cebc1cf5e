/** The only known way to the embedded chain: programs of this machine may use it, a page of any other origin may not, nor one whose name was bound to this machine. */
import http, { type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { pipeline } from "node:stream"
import { Effect, type Scope } from "effect"
import { listening } from "../settings/Listening.ts"
import type { StartFailure } from "../settings/StartFailure.ts"
import { ownNames } from "../values/OwnNames.ts"

const HOST = "127.0.0.1"
const SETTING = "SERVICE_CHAIN_PORT"

/** A wallet that lives in the browser asks for its user; pages cannot bear these. */
const EXTENSION = /^(?:chrome|moz|safari-web)-extension:\/\//

const isOwn = ownNames([])

const fault = ({ method, headers: { host, origin } }: IncomingMessage): [number, string] | undefined => {
  if (!isOwn(host)) return [403, "the local chain is asked by an IP address or localhost"]
  if (origin !== undefined && !EXTENSION.test(origin)) return [403, "the local chain answers no web page"]
  return method === "POST" ? undefined : [405, "the local chain takes JSON-RPC by POST"]
}

const refuse = (request: IncomingMessage, response: ServerResponse, [status, why]: [number, string]) => {
  request.resume()
  response.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(`${why}\n`)
}

const passing =
  (upstream: string, agent: http.Agent) => (request: IncomingMessage, response: ServerResponse) => {
    const refused = fault(request)
    if (refused !== undefined) return refuse(request, response, refused)
    const headers = { "content-type": "application/json" }
    const asked = http.request(upstream, { method: "POST", agent, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, { "content-type": "application/json" })
      pipeline(answer, response, () => {})
    })
    asked.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    pipeline(request, asked, () => {})
  }

const portOf = (server: Server): number => {
  const address = server.address()
  return address !== null && typeof address === "object" ? address.port : 0
}

/** Any that is free, where this one is not. */
const listeningNear = (server: Server, port: number) =>
  Effect.orElse(listening(server, HOST, port, SETTING), () => listening(server, HOST, 0, SETTING))

/** Gives its URL. */
export const chainGate = (upstream: string, port = 0): Effect.Effect<string, StartFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const agent = new http.Agent({ keepAlive: true })
    const server = http.createServer(passing(upstream, agent))
    server.on("upgrade", (_request, socket) => socket.on("error", () => {}).destroy())
    const closed = Effect.async<void>(resume => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
      agent.destroy()
    })
    yield* Effect.acquireRelease(listeningNear(server, port), () => closed)
    return `http://${HOST}:${portOf(server)}`
  })
