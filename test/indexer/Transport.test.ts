import { Effect, Fiber, Metric, TestClock, TestContext } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { renderPrometheus } from "../../src/telemetry/Prometheus.ts"
import { ProblemRegister } from "../../src/values/ProblemRegister.ts"
import { CANARY, startCanaryReader } from "./support/CanaryReader.ts"
import { page, row } from "./support/Events.ts"
import type { FakeSource } from "./support/FakeSource.ts"

/** Pages of 20, 10, 5, 2 and 1 rows, and one row without its texts. */
const SMALLER = 6

const { source, reader, stop } = await startCanaryReader()

afterAll(stop)

const list = (query: { readonly limit?: number } = {}) =>
  reader.indexer.list("payEvent", { network: "testnet", fields: ["amount", "memo"], ...query })

describe("the way to the source", () => {
  const acts: ReadonlyArray<readonly [string, string, boolean, Parameters<FakeSource["act"]>[0]]> = [
    [
      "a redirect",
      "INDEXER_UPSTREAM_HTTP_ERROR",
      false,
      answer => answer.writeHead(302, { location: "/elsewhere" }).end()
    ],
    ["an HTTP refusal", "INDEXER_UPSTREAM_HTTP_ERROR", false, answer => answer.writeHead(401).end(CANARY)],
    ["too many requests", "INDEXER_UPSTREAM_HTTP_ERROR", true, answer => answer.writeHead(429).end()],
    ["a failing server", "INDEXER_UPSTREAM_HTTP_ERROR", true, answer => answer.writeHead(503).end(CANARY)],
    ["an empty body", "INDEXER_INVALID_RESPONSE", true, answer => answer.writeHead(200).end()],
    ["HTML", "INDEXER_INVALID_RESPONSE", true, answer => answer.writeHead(200).end(`<p>${CANARY}</p>`)],
    [
      "bytes that are no UTF-8",
      "INDEXER_INVALID_RESPONSE",
      true,
      answer => answer.writeHead(200).end(Buffer.from([0x22, 0xff, 0x22]))
    ],
    [
      "a byte order mark",
      "INDEXER_INVALID_RESPONSE",
      true,
      answer => answer.writeHead(200).end(`\ufeff${JSON.stringify(page([row]))}`)
    ],
    [
      "an encoding",
      "INDEXER_INVALID_RESPONSE",
      true,
      answer => answer.writeHead(200, { "content-encoding": "gzip" }).end("x")
    ],
    [
      "a declared size beyond the bound",
      "INDEXER_RESPONSE_TOO_LARGE",
      false,
      answer => {
        answer.writeHead(200, { "content-length": 2_097_153 })
        answer.flushHeaders()
      }
    ],
    [
      "a streamed size beyond the bound",
      "INDEXER_RESPONSE_TOO_LARGE",
      false,
      answer => {
        answer.writeHead(200)
        answer.write(Buffer.alloc(2_097_153, " "))
      }
    ],
    ["a broken connection", "INDEXER_UNAVAILABLE", true, answer => answer.destroy()],
    [
      "a connection that breaks within the answer",
      "INDEXER_UNAVAILABLE",
      true,
      answer => {
        answer.writeHead(200, { "content-length": 100 })
        answer.write("{", () => answer.destroy())
      }
    ]
  ]
  for (const [what, code, retryable, act] of acts)
    it(`ends with ${what}`, async () => {
      source.act(act)
      const asked = source.asked.length
      const refusal = await reader.refused(list())
      assert.strictEqual(refusal._tag, code)
      assert.strictEqual(refusal.retryable ?? ProblemRegister[refusal._tag].retryable, retryable)
      assert.notInclude(JSON.stringify([refusal.detail, refusal.context, refusal.message]), CANARY)
      assert.notInclude(JSON.stringify([refusal.detail, refusal.context]), "127.0.0.1")
      assert.strictEqual(source.asked.length - asked, code === "INDEXER_RESPONSE_TOO_LARGE" ? SMALLER : 1)
    })

  it("is measured by network and code, without the URL", async () => {
    source.act(answer => answer.writeHead(503).end())
    await reader.refused(list())
    const text = renderPrometheus(await reader.run(Metric.snapshot))
    assert.match(text, /service_indexer_failures_total\{[^}]*INDEXER_UPSTREAM_HTTP_ERROR[^}]*\} [1-9]/)
    assert.match(text, /service_indexer_seconds_count\{[^}]*testnet[^}]*\} [1-9]/)
    assert.notInclude(text, "127.0.0.1")
  })

  it("carries the operators' headers beside its own", async () => {
    source.answer(page([row]))
    await reader.run(list())
    const { headers } = source.asked.at(-1) ?? {}
    assert.strictEqual(headers?.authorization, CANARY)
    assert.strictEqual(headers?.accept, "application/json")
    assert.strictEqual(headers?.["content-type"], "application/json")
  })

  it("takes no variable for granted: absent ones are left out", async () => {
    source.answer(page([row]))
    await reader.run(list({ limit: 20 }))
    assert.deepStrictEqual(Object.keys(source.asked.at(-1)?.variables ?? {}), ["where", "limit"])
    assert.notInclude(source.asked.at(-1)?.query, "after")
  })

  it("ends at its deadline though the source still holds the answer", async () => {
    const held = new Promise<void>(resolve => source.act(() => resolve()))
    const program = Effect.gen(function* () {
      const waiting = yield* Effect.fork(Effect.flip(list()))
      yield* Effect.promise(() => held)
      yield* TestClock.adjust("15 seconds")
      return yield* Fiber.join(waiting)
    })
    const refusal = await Effect.runPromise(Effect.provide(program, TestContext.TestContext))
    assert.strictEqual(refusal._tag, "INDEXER_TIMEOUT")
  })

  it("never leads to the other network", async () => {
    const asked = source.asked.length
    const refusal = await reader.refused(reader.indexer.list("payEvent", { network: "mainnet" }))
    assert.strictEqual(refusal._tag, "INDEXER_NOT_CONFIGURED")
    assert.strictEqual(
      (await reader.refused(reader.indexer.status("mainnet")))._tag,
      "INDEXER_NOT_CONFIGURED"
    )
    assert.strictEqual(source.asked.length, asked)
  })
})
