/** Listens on loopback for whoever has requests carried, and for tests that arm lies. */
import { createHash, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Faults } from "./Faults.ts"
import { Full, type Provider } from "./Provider.ts"
import { BadRequest } from "./Publication.ts"
import { put, type Reply, refuses, type Wire } from "./Wire.ts"

export interface ServerOptions {
  readonly provider: Provider
  /** Without one there are no lies. */
  readonly token: string | undefined
  readonly port: number
}

export interface Listening {
  readonly url: string
  readonly stop: () => Promise<void>
}

type Answered = readonly [reply: Reply, wire: Wire]

const MAXIMUM_BODY = 512 * 1024
const MAXIMUM_CONNECTIONS = 256
const REQUEST_MILLIS = 10_000
const HONEST: Wire = { lies: [], millis: 0 }
const VANISHED: Wire = { lies: ["wire-reset"], millis: 0 }
const BUNDLE = /^\/v1\/bundle\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/

const honestly = (status: number, body: unknown): Answered => [{ status, body }, HONEST]
const problem = (status: number, message: string): Answered => honestly(status, { message })

const TOO_LONG = new BadRequest(`the body is longer than ${MAXIMUM_BODY} bytes`)

const decoder = new TextDecoder("utf-8", { fatal: true })

const jsonOf = async (incoming: IncomingMessage): Promise<unknown> => {
  if (incoming.headers["content-type"] !== "application/json")
    throw new BadRequest("content-type is not application/json")
  const chunks: Array<Buffer> = []
  let size = 0
  if (Number(incoming.headers["content-length"]) > MAXIMUM_BODY) throw TOO_LONG
  for await (const chunk of incoming) {
    size += chunk.length
    if (size > MAXIMUM_BODY) throw TOO_LONG
    chunks.push(chunk)
  }
  try {
    return JSON.parse(decoder.decode(Buffer.concat(chunks)))
  } catch {
    throw new BadRequest("the body is no JSON")
  }
}

const digest = (text: string) => createHash("sha256").update(text).digest()

class Routes {
  readonly #faults = new Faults()
  readonly #options: ServerOptions

  constructor(options: ServerOptions) {
    this.#options = options
  }

  async answer(incoming: IncomingMessage): Promise<Answered> {
    if (!LOOPBACK_HOST.test(incoming.headers.host ?? "")) return problem(421, "not this host")
    const { pathname } = new URL(incoming.url ?? "/", "http://localhost")
    const [, uuid] = BUNDLE.exec(pathname) ?? []
    const asked = `${incoming.method} ${pathname}`
    if (asked === "POST /v1/bundle/prepaid") return this.#publish(incoming)
    if (incoming.method === "GET" && uuid !== undefined) return this.#bundle(uuid)
    if (pathname === "/faults" && this.#isTest(incoming)) return this.#arm(incoming)
    return problem(404, "not found")
  }

  async #publish(incoming: IncomingMessage): Promise<Answered> {
    const body = await jsonOf(incoming)
    const told = this.#faults.at("publication")
    if (refuses(told)) return [{ status: 503, body: {} }, told]
    return [{ status: 201, body: await this.#options.provider.publish(body, told.lies) }, told]
  }

  async #bundle(uuid: string): Promise<Answered> {
    const told = this.#faults.at("bundle")
    if (refuses(told)) return [{ status: 503, body: {} }, told]
    const body = await this.#options.provider.bundle(uuid, told.lies)
    if (body === "vanished") return [{ status: 503, body: {} }, VANISHED]
    return body === undefined ? problem(404, "not found") : [{ status: 200, body }, told]
  }

  #isTest({ headers }: IncomingMessage): boolean {
    const { token } = this.#options
    const said = headers.authorization ?? ""
    return token !== undefined && timingSafeEqual(digest(said), digest(`Bearer ${token}`))
  }

  async #arm(incoming: IncomingMessage): Promise<Answered> {
    if (incoming.method === "POST") this.#faults.arm(await jsonOf(incoming))
    else if (incoming.method === "DELETE") {
      this.#faults.disarm()
      await this.#options.provider.restore()
    } else if (incoming.method !== "GET") return problem(405, "POST, GET or DELETE")
    return honestly(200, { armed: this.#faults.list() })
  }
}

const failed = (cause: unknown): Answered => {
  if (cause instanceof BadRequest) return problem(400, cause.message)
  if (cause instanceof Full) return problem(503, cause.message)
  return problem(500, "internal error")
}

const respond = async (routes: Routes, incoming: IncomingMessage, response: ServerResponse) => {
  const [reply, wire] = await routes.answer(incoming).catch(failed)
  if (!incoming.complete) response.setHeader("connection", "close")
  await put(incoming, response, reply, wire)
}

const closed = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

export const listen = (options: ServerOptions): Promise<Listening> => {
  const routes = new Routes(options)
  const server = createServer({ requestTimeout: REQUEST_MILLIS }, (incoming, response) => {
    respond(routes, incoming, response).catch(() => response.destroy())
  })
  server.maxConnections = MAXIMUM_CONNECTIONS
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(options.port, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({ url: `http://127.0.0.1:${port}`, stop: () => closed(server) })
    })
  })
}
