import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterEach, assert, beforeEach, it } from "vitest"
import { send } from "../../src/http/Answer.ts"
import { makeExchange } from "../../src/http/Exchange.ts"
import { rawRequest } from "../support/HttpRaw.ts"

const PIECES = 10_000

let server: Server
let parsed: number
let closed: Promise<unknown>

/** The place of the parser's listener that each piece of a body comes to, also of a body that nobody reads any more. */
const ON_BODY = 3

const countBodies = (socket: Socket, count: () => void) => {
  const { parser } = Object(socket)
  const heard: (piece: Buffer) => void = parser[ON_BODY]
  assert.isFunction(heard)
  parser[ON_BODY] = (piece: Buffer) => {
    count()
    heard.call(parser, piece)
  }
}

beforeEach(async () => {
  parsed = 0
  server = createServer((request, response) => {
    closed = once(request.socket, "close")
    const linger = () => {
      request.socket.resume()
      countBodies(request.socket, () => parsed++)
    }
    const exchange = makeExchange(request, response, "id", 0)
    send(exchange, { status: 401, headers: {}, body: "no" }, { isLast: false, linger })
  })
  server.on("clientError", (_error, socket) => socket.destroy())
  Object.assign(server, { httpAllowHalfOpen: true })
  await once(server.listen(0, "127.0.0.1"), "listening")
})

afterEach(() => new Promise(resolve => server.close(resolve)))

const isBound = (address: unknown): address is AddressInfo => typeof address === "object" && address !== null

it("what follows a refused request is read and not parsed, and the client's end is heard", async () => {
  const address = server.address()
  const socket = connect(isBound(address) ? address.port : assert.fail(), "127.0.0.1")
  socket.on("error", () => {})
  socket.write(rawRequest("POST", "/", { "Transfer-Encoding": "chunked" }))
  await once(socket, "data")
  socket.end("1\r\na\r\n".repeat(PIECES))
  await closed
  assert.strictEqual(parsed, 0)
})
