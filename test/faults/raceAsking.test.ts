/** Racers ask as clients do: again, and signed anew, where they are refused for a while. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { close, listen } from "../support/Listening.ts"
import { signerOf } from "./races/Arena.ts"
import { asking } from "./races/Asking.ts"
import { newKey, ready } from "./races/Signed.ts"

const BUSY = { status: 503, body: { code: "DATABASE_UNAVAILABLE", retryable: true } }
const LATE = { status: 504, body: { code: "RPC_TIMEOUT", retryable: true } }
const DONE = { status: 200, body: { id: "one" } }

let answers: Array<{ readonly status: number; readonly body: object }> = []
let heard: Array<IncomingHttpHeaders> = []

const server = createServer((request, response) => {
  heard.push(request.headers)
  const { status, body } = answers.shift() ?? DONE
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
})
const address = `http://127.0.0.1:${await listen(server)}`

afterAll(() => close(server))

beforeEach(() => {
  heard = []
})

const owner = signerOf("one who asks")

describe("a racer", () => {
  it("asks again under the same key, signed anew, until it is heard", async () => {
    const { ask, requests, repeats } = asking([address])
    answers = [BUSY, LATE]
    const key = newKey()
    const answer = await ask(ready(owner, { method: "POST", target: "/", key, body: {} }), 0)
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual([requests(), repeats()], [3, 2])
    assert.strictEqual(new Set(heard.map(headers => headers["x-service-nonce"])).size, 3)
    assert.deepStrictEqual(
      heard.map(headers => headers["idempotency-key"]),
      [key, key, key]
    )
  })

  it.each([
    ["of another status", { status: 409, body: { code: "NONCE_NOT_READY", retryable: true } }],
    ["for good", { status: 503, body: { code: "RPC_NOT_CONFIGURED", retryable: false } }]
  ])("takes a refusal %s for the outcome", async (_, refusal) => {
    const { ask, repeats } = asking([address])
    answers = [refusal]
    const { code } = await ask(ready(owner, { method: "GET", target: "/" }), 0)
    assert.deepStrictEqual([code, repeats()], [refusal.body.code, 0])
  })

  it("sends nothing else where only the very bytes will do", async () => {
    const { ask, repeats } = asking([address])
    answers = [BUSY]
    const { target, init } = ready(owner, { method: "GET", target: "/" })
    assert.deepStrictEqual([(await ask({ target, init }, 0)).status, repeats()], [503, 0])
  })
})
