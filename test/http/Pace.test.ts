import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { connect, type Socket } from "node:net"
import { afterEach, assert, beforeEach, it } from "vitest"
import { PIECES_OF_A_TURN, takeByTurns } from "../../src/http/BufferedRequest.ts"
import { rawRequest } from "../support/HttpRaw.ts"

const PIECE = "1\r\na\r\n"
const PIECES = 200_000

let server: Server
let mostInTurn: number
let mostHeld: number
let total: number

beforeEach(async () => {
  mostInTurn = 0
  mostHeld = 0
  total = 0
  server = createServer((request, response) => {
    let inTurn = 0
    takeByTurns(request, piece => {
      if (inTurn === 0)
        setImmediate(() => {
          inTurn = 0
        })
      inTurn++
      mostHeld = Math.max(mostHeld, request.readableLength)
      total += piece.length
      mostInTurn = Math.max(mostInTurn, inTurn)
    })
    request.on("end", () => response.end("read"))
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

const connected = (): Socket => {
  const address = server.address()
  return connect(address !== null && typeof address === "object" ? address.port : assert.fail(), "127.0.0.1")
}

const HEAD = rawRequest("POST", "/", { "Transfer-Encoding": "chunked" }, "")
const CRUMB = `10\r\n${"a".repeat(16)}\r\n`
const CRUMBS = 16_384
const ROUNDS = 8
const READ_AT_ONCE = 65_536

it("a body that comes faster than it is taken is not read ahead of", async () => {
  const socket = connected()
  socket.write(HEAD)
  for (let round = 0; round < ROUNDS; round++)
    if (!socket.write(CRUMB.repeat(CRUMBS))) await once(socket, "drain")
  socket.write("0\r\n\r\n")
  await once(socket, "data")
  socket.destroy()
  assert.strictEqual(total, ROUNDS * CRUMBS * 16)
  assert.isAtMost(mostHeld, 2 * READ_AT_ONCE)
})

it("a body whose rest comes after a pause is taken wholly", async () => {
  const socket = connected()
  socket.write(HEAD + PIECE.repeat(600))
  while (total < 600) await new Promise(resolve => setImmediate(resolve))
  socket.write(`${PIECE.repeat(600)}0\r\n\r\n`)
  await once(socket, "data")
  socket.destroy()
  assert.strictEqual(total, 1_200)
})

it("a body in very many pieces is taken in by turns, and wholly", async () => {
  const socket = connected()
  socket.write(
    rawRequest("POST", "/", { "Transfer-Encoding": "chunked" }, `${PIECE.repeat(PIECES)}0\r\n\r\n`)
  )
  await once(socket, "data")
  socket.destroy()
  assert.strictEqual(total, PIECES)
  assert.isAtMost(mostInTurn, PIECES_OF_A_TURN)
})
