import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { connect } from "node:net"
import { afterEach, assert, beforeEach, it } from "vitest"
import { takeByTurns } from "../../src/http/Pace.ts"
import { rawRequest } from "../support/HttpRaw.ts"

const PIECE = "1\r\na\r\n"
const PIECES = 200_000
const PIECES_OF_A_TURN = 256

let server: Server
let mostInTurn: number
let total: number

beforeEach(async () => {
  mostInTurn = 0
  total = 0
  server = createServer((request, response) => {
    let inTurn = 0
    takeByTurns(request, piece => {
      if (inTurn === 0)
        setImmediate(() => {
          inTurn = 0
        })
      inTurn++
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

it("a body in very many pieces is taken in by turns, and wholly", async () => {
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : assert.fail()
  const socket = connect(port, "127.0.0.1")
  socket.write(
    rawRequest("POST", "/", { "Transfer-Encoding": "chunked" }, `${PIECE.repeat(PIECES)}0\r\n\r\n`)
  )
  await once(socket, "data")
  socket.destroy()
  assert.strictEqual(total, PIECES)
  assert.isAtMost(mostInTurn, PIECES_OF_A_TURN)
})
