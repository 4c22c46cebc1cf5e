/** S6: a client that never reads its answer. */
import { once } from "node:events"
import { createServer, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { Unread } from "../../src/http/Connections.ts"
import { rawRequest } from "../support/HttpRaw.ts"

const LARGE = Buffer.alloc(32 * 1024 * 1024)

let server: Server
let unread: Unread
let responses: Array<ServerResponse>
let heard: () => void

beforeEach(async () => {
  unread = new Unread()
  responses = []
  heard = () => {}
  server = createServer((request, response) => {
    response.end(request.url === "/large" ? LARGE : "small")
    unread.add(response, 0)
    responses.push(response)
    heard()
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

const portOf = ({ port }: AddressInfo) => port
const address = () => {
  const found = server.address()
  return found !== null && typeof found === "object" ? portOf(found) : assert.fail()
}

/** Asks, and reads nothing. */
const ask = async (...targets: ReadonlyArray<string>): Promise<Socket> => {
  const answered = new Promise<void>(resolve => {
    heard = () => responses.length === targets.length && resolve()
  })
  const socket = connect(address(), "127.0.0.1").pause()
  socket.on("error", () => {})
  socket.write(targets.map(target => rawRequest("GET", target)).join(""))
  await answered
  return socket
}

const connections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  )

describe("an answer that nobody reads", () => {
  it("is noted only when it does not fit what the kernel takes", async () => {
    const socket = await ask("/small")
    assert.strictEqual(unread.count, 0)
    socket.destroy()
  })

  it("loses its connection after two minutes and not before", async () => {
    const socket = await ask("/large")
    assert.strictEqual(unread.count, 1)
    unread.endOverdue(120_000)
    assert.strictEqual(await connections(), 1)
    const closed = once(responses[0] ?? assert.fail(), "close")
    unread.endOverdue(120_001)
    await closed
    assert.strictEqual(await connections(), 0)
    assert.strictEqual(unread.count, 0)
    socket.destroy()
  })

  it("takes those behind it on the connection along", async () => {
    const socket = await ask("/large", "/small", "/large")
    unread.endOverdue(120_001)
    await once(responses[0] ?? assert.fail(), "close")
    assert.strictEqual(await connections(), 0)
    assert.strictEqual(unread.count, 0)
    socket.destroy()
  })

  it("is forgotten once it was read", async () => {
    const socket = await ask("/large")
    const closed = once(responses[0] ?? assert.fail(), "close")
    socket.resume()
    await closed
    assert.strictEqual(unread.count, 0)
    unread.endOverdue(1e9)
    assert.strictEqual(await connections(), 1)
    socket.destroy()
  })
})
