/** What the span of a request to a node, a provider or a bundler tells of it. */
import { createServer } from "node:http"
import { Effect, Tracer } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { quietTracer } from "../../src/telemetry/QuietTracer.ts"
import { httpSpan } from "../../src/upstream/HttpSpan.ts"
import { jsonExchange } from "../../src/upstream/JsonExchange.ts"
import { close, listen } from "../support/Listening.ts"
import { freePort } from "../support/Ports.ts"

const server = createServer((request, response) => {
  response.writeHead(request.url === "/none" ? 404 : 200)
  response.end("{}")
})
const port = await listen(server)

afterAll(() => close(server))

/** Every span's attributes, as they would be exported. */
const kept = () => {
  const spans: Array<Record<string, unknown>> = []
  const inner = Tracer.make({
    context: work => work(),
    span: (name, parent, context, links, startTime, kind) => {
      const attributes: Record<string, unknown> = {}
      spans.push(attributes)
      return {
        ...{ _tag: "Span" as const, name, spanId: "b", traceId: "a", parent, context, links: [...links] },
        ...{ status: { _tag: "Started" as const, startTime }, attributes: new Map(), sampled: true, kind },
        ...{ end: () => {}, event: () => {}, addLinks: () => {} },
        attribute: (key: string, value: unknown) => {
          attributes[key] = value
        }
      }
    }
  })
  return { spans, tracer: quietTracer(inner) }
}

const traced = async <E>(kind: Tracer.SpanKind, work: Effect.Effect<unknown, E>) => {
  const { spans, tracer } = kept()
  await Effect.runPromise(
    Effect.exit(Effect.withSpan(work, "asked", { kind })).pipe(Effect.withTracer(tracer))
  )
  return spans[0] ?? {}
}

const asking = (kind: Tracer.SpanKind, url: string) =>
  traced(
    kind,
    Effect.scoped(
      Effect.flatMap(jsonExchange({ url: new URL(url), maximumBytes: 100 }), ({ post }) => post("{}"))
    )
  )

const addressOf = async (url: string) =>
  (await traced("client", httpSpan(new URL(url))("GET", Effect.succeed({ status: 200 }))))["server.address"]

describe("a client's span", () => {
  it("names method, host, port and status", async () => {
    assert.deepStrictEqual(await asking("client", `http://user:secret@127.0.0.1:${port}/key?key`), {
      "http.request.method": "POST",
      "server.address": "127.0.0.1",
      "server.port": port,
      "http.response.status_code": 200
    })
  })

  it("names an answer that is none by its status", async () => {
    const told = await asking("client", `http://127.0.0.1:${port}/none`)
    assert.deepInclude(told, { "http.response.status_code": 404, "error.type": "404" })
  })

  it("names why there is no answer", async () => {
    const told = await asking("client", `http://127.0.0.1:${await freePort()}`)
    assert.strictEqual(told["error.type"], "unreachable")
    assert.notProperty(told, "http.response.status_code")
  })

  it("has of hosts' names nothing that may be a key", async () => {
    assert.strictEqual(
      await addressOf("https://eth-mainnet.provider.example/v2/secret"),
      "eth-mainnet.provider.example"
    )
    assert.strictEqual(
      await addressOf("https://a1b2c3d4e5f6a7b8c9d0.provider.example"),
      "redacted.provider.example"
    )
    assert.strictEqual(await addressOf("http://[::1]:1"), "::1")
  })
})

it("a span of another kind keeps its own method and status", async () => {
  assert.deepStrictEqual(await asking("server", `http://127.0.0.1:${port}`), {})
})
