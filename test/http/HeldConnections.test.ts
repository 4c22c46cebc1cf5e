/** S6: clients that hold their connection after all that can be said on it was said. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { afterAll, afterEach, assert, describe, it, vi } from "vitest"
import { enroll } from "../support/Bots.ts"
import { openRaw, parseAnswers, type RawAnswer, rawRequest } from "../support/HttpRaw.ts"
import { rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedFetch, signedInit } from "../support/SignedFetch.ts"
import { until } from "../support/Until.ts"

const ME = "/api/v1/accounts/me"

const service = await startService({
  settings: { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 } }
})

afterEach(() => {
  vi.restoreAllMocks()
})

afterAll(() => service.stop())

/** Says these bytes and never ends its own side. */
const speaking = (bytes: string): Socket => {
  const port = Number(new URL(service.url).port)
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  socket.on("error", () => {})
  socket.write(bytes)
  return socket
}

/** Goes on speaking until nobody is there any more. */
const untilNobodyListens = async (socket: Socket): Promise<void> => {
  const timer = setInterval(() => socket.write("more"), 50)
  await new Promise(resolve => socket.once("close", resolve))
  clearInterval(timer)
}

describe("a connection is let go", () => {
  const refused: ReadonlyArray<readonly [string, string]> = [
    ["what is not HTTP", "NOT HTTP\r\n\r\n"],
    ["CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"],
    [
      "a body that is too long",
      rawRequest("POST", "/api/v1/accounts/enroll", { "Content-Length": "100000000" })
    ],
    ["a request that is the last", rawRequest("GET", "/api/v1", { Connection: "close" })],
    [
      "a request that is the last and more bytes with it",
      `${rawRequest("GET", "/api/v1", { Connection: "close" })}more`
    ],
    [
      "a signed request that is the last and more bytes with it",
      `${rawRequest("GET", ME, { Connection: "close" })}GET / HTTP/1.1\r\nHost: a\r\n\r\n`
    ]
  ]
  it.concurrent.each(refused)("after %s, though the client stays", async (_, bytes) => {
    const socket = speaking(bytes)
    const chunks: Array<Buffer> = []
    socket.on("data", chunk => chunks.push(chunk))
    await untilNobodyListens(socket)
    assert.strictEqual(parseAnswers(Buffer.concat(chunks)).length, 1)
  })

  it("when the client has not read its answers for two minutes", async () => {
    const socket = speaking(rawRequest("GET", "/api/v1/openapi.json").repeat(20))
    await once(socket, "readable")
    let now = performance.now()
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 70_000
      return now
    })
    await untilNobodyListens(socket)
  })
})

describe("who holds connections keeps nobody else out", () => {
  it("with 5,000 that say nothing, or never end their headers", { timeout: 300_000 }, async () => {
    const owner = newOwner()
    await enroll(service, owner)
    const held = []
    for (let opened = 0; opened < 5_000; opened++) {
      const connection = openRaw(service.url)
      if (opened % 2 === 0) connection.write("GET /api/v1 HTTP/1.1\r\nHost: a\r\n")
      held.push(connection)
      if (opened % 500 === 499) await once(connection.socket, "connect")
    }
    assert.strictEqual((await signedFetch(service, owner, "GET", ME)).status, 200)
    for (const connection of held) {
      const [answer] = await connection.answers(1)
      assert.strictEqual(rawProblem(answer).code, "BODY_TIMEOUT")
      await connection.ended
    }
  })

  it("with bodies that never end", { timeout: 120_000 }, async () => {
    const [places, share] = [256, 64]
    const owner = newOwner()
    await enroll(service, owner)
    const headersOf = async () => (await signedInit(service, owner, "PATCH", ME, { rawBody: "{}" })).headers
    const headers = await headersOf()
    const answers: Array<RawAnswer | undefined> = []
    const stalled = Array.from({ length: places }, () => {
      const connection = openRaw(service.url)
      connection.write(rawRequest("PATCH", ME, { ...headers, "Content-Length": "2" }, "{"))
      connection.answers(1).then(([answer]) => answers.push(answer))
      return connection
    })
    await until(
      async () => answers.length,
      count => count === places - share
    )
    for (const answer of answers) assert.oneOf(rawProblem(answer).code, ["SERVICE_BUSY", "BODY_TIMEOUT"])
    assert.strictEqual((await signedFetch(service, owner, "PATCH", ME, { body: {} })).status, 200)
    const waitedFor = async () => {
      const connection = openRaw(service.url)
      const heard = once(connection.socket, "data")
      const framing = { "Content-Length": "2", Expect: "100-continue" }
      connection.write(rawRequest("PATCH", ME, { ...(await headersOf()), ...framing }))
      await heard
      connection.write("{}")
      const [answer] = await connection.answers(1)
      connection.socket.destroy()
      return answer?.status
    }
    await until(waitedFor, status => status === 200)
    await until(
      async () => answers.length,
      count => count > places - share
    )
    const { code, detail } = rawProblem(answers.at(-1))
    assert.strictEqual(code, "BODY_TIMEOUT")
    assert.include(detail, "too slowly while others waited")
    for (const { socket } of stalled) socket.destroy()
  })
})
