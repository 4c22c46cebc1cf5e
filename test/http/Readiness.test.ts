/** What is asked of others when somebody asks whether the service is ready. */
import { createServer } from "node:http"
import { Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { startService } from "../support/Service.ts"
import { testSettings } from "../support/Settings.ts"
import { until } from "../support/Until.ts"

describe("the prepaid provider", () => {
  it("is unhealthy where it is gone, turns away or leads elsewhere, and healthy where it answers", async () => {
    const asked: Array<string> = []
    let status = 404
    const server = createServer(({ url, method, headers }, response) => {
      asked.push(`${method} ${url} ${headers["x-key"]}`)
      response.writeHead(status, { location: "/" }).end("{}")
    })
    await new Promise<void>(done => server.listen(0, "127.0.0.1", () => done()))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const { sponsorship } = testSettings()
    const own = await startService({
      settings: {
        sponsorship: {
          ...sponsorship,
          providerUrl: Redacted.make(`http://127.0.0.1:${port}`),
          providerHeaders: Redacted.make({ "X-Key": "of the provider" })
        }
      }
    })
    const stateOf = async (): Promise<string> => {
      const answer = await fetch(`${own.opsUrl}/readyz`)
      assert.strictEqual(answer.status, 200)
      const { parts } = await answer.json()
      return parts.find(({ name }: { name: string }) => name === "provider").state
    }
    try {
      assert.strictEqual(await stateOf(), "healthy")
      for (const [told, state] of [
        [302, "unhealthy"],
        [400, "healthy"],
        [401, "unhealthy"],
        [200, "healthy"],
        [500, "unhealthy"],
        [404, "healthy"]
      ] as const) {
        status = told
        await until(stateOf, found => found === state)
      }
      server.close()
      server.closeAllConnections()
      await until(stateOf, found => found === "unhealthy")
      assert.deepStrictEqual(
        [...new Set(asked)],
        ["GET /v1/bundle/00000000-0000-0000-0000-000000000000 of the provider"]
      )
    } finally {
      await own.stop()
    }
  })
})

describe("a bundler", () => {
  it("is unhealthy where none of its chain answers, and nothing else is; who answers needs no others", async () => {
    let answer: string | undefined = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'
    const server = createServer((request, response) => {
      request.resume()
      assert.strictEqual(
        request.headers.authorization,
        `Basic ${Buffer.from("someone:a key").toString("base64")}`
      )
      if (answer !== undefined) response.end(answer)
    })
    await new Promise<void>(done => server.listen(0, "127.0.0.1", () => done()))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const hung = createServer(() => undefined)
    await new Promise<void>(done => hung.listen(0, "127.0.0.1", () => done()))
    const place = hung.address()
    const silent = typeof place === "object" && place !== null ? place.port : 0
    const { userOperations } = testSettings()
    const urls = [
      Redacted.make("http://127.0.0.1:9"),
      Redacted.make(`http://127.0.0.1:${silent}`),
      Redacted.make(`http://someone:a%20key@127.0.0.1:${port}`)
    ]
    const bundlers = [{ chainId: 31_337, urls }]
    const own = await startService({ settings: { userOperations: { ...userOperations, bundlers } } })
    const states = async () => {
      const ready = await fetch(`${own.opsUrl}/readyz`)
      assert.strictEqual(ready.status, 200)
      const { parts } = await ready.json()
      const others = parts.filter(({ name }: { name: string }) => name !== "bundler:31337")
      assert.deepStrictEqual([...new Set(others.map(({ state }: { state: string }) => state))], ["healthy"])
      return parts.find(({ name }: { name: string }) => name === "bundler:31337").state
    }
    try {
      assert.strictEqual(await states(), "healthy")
      for (const [told, state] of [
        ['{"jsonrpc":"2.0","id":1,"result":"0x1"}', "unhealthy"],
        ['{"jsonrpc":"2.0","id":1,"result":"0x7a69"}', "healthy"],
        [undefined, "unhealthy"],
        [answer, "healthy"],
        [" ".repeat(1_000_000), "unhealthy"]
      ] as const) {
        answer = told
        await until(states, found => found === state)
      }
    } finally {
      for (const each of [server, hung]) {
        each.close()
        each.closeAllConnections()
      }
      await own.stop()
    }
  })
})
