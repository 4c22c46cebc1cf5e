/** A refusal that is told before the whole request is in must reach a client that still writes. */
import { once } from "node:events"
import { request as httpRequest } from "node:http"
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, describe, it } from "vitest"
import { openRaw, rawRequest } from "../support/HttpRaw.ts"
import { rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"

const PLANS = "/api/v1/plans"
const JSON_TYPE = { "Content-Type": "application/json" }
const PIECE = "x".repeat(10_000)
const PIECES = 20
/** Long enough for a reset to come back. */
const PIECE_MILLIS = 20

const service = await startService({
  settings: { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 } }
})

afterAll(() => service.stop())

const head = (length: number) => rawRequest("POST", PLANS, { ...JSON_TYPE, "Content-Length": String(length) })

/** A connection that got its refusal before it wrote anything of its body; it keeps its own side open. */
const refusedEarly = async (length: number) => {
  const connection = openRaw(service.url)
  connection.socket.allowHalfOpen = true
  let failure: unknown
  connection.socket.on("error", error => {
    failure = error
  })
  connection.write(head(length))
  const [answer] = await connection.answers(1)
  assert.strictEqual(rawProblem(answer).code, "AUTH_REQUIRED")
  assert.strictEqual(answer?.headers.get("connection"), "close")
  return { connection, failure: () => failure }
}

const requestsHeard = async (): Promise<number> => {
  const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text()
  const counts = [...metrics.matchAll(/^service_requests_total\{.*\} (\d+)/gm)].map(([, count]) =>
    Number(count)
  )
  assert.isNotEmpty(counts)
  return counts.reduce((sum, count) => sum + count)
}

describe("who is refused before the body is in", () => {
  it("may write it to its end", async () => {
    const { connection, failure } = await refusedEarly(PIECE.length * PIECES)
    for (let piece = 0; piece < PIECES; piece++) {
      connection.write(PIECE)
      await setTimeout(PIECE_MILLIS)
    }
    assert.isUndefined(failure())
    connection.socket.end()
    await connection.ended
    assert.isUndefined(failure())
  })

  it("is neither heard again nor kept for ever, whatever it writes on", { timeout: 120_000 }, async () => {
    const { connection } = await refusedEarly(2)
    const before = await requestsHeard()
    connection.write("{}")
    const writing = setInterval(() => connection.write(rawRequest("GET", "/api/v1")), PIECE_MILLIS)
    await connection.ended
    clearInterval(writing)
    assert.strictEqual((await connection.answers(2)).length, 1)
    assert.strictEqual(await requestsHeard(), before)
  })
})

/** As Node's own client writes a body piece by piece. */
const codeOfUpload = async (pieces: number): Promise<string> => {
  const upload = httpRequest(`${service.url}${PLANS}`, {
    method: "POST",
    agent: false,
    headers: { ...JSON_TYPE, "content-length": PIECE.length * pieces }
  })
  const answered = once(upload, "response")
  for (let piece = 0; piece < pieces; piece++) upload.write(PIECE)
  upload.end()
  const [response] = await answered
  let text = ""
  for await (const part of response) text += part
  return JSON.parse(text).code
}

it("every upload that is refused tells its reason", { timeout: 120_000 }, async () => {
  for (let round = 0; round < 100; round++) assert.strictEqual(await codeOfUpload(300), "AUTH_REQUIRED")
})
