/** The operators' listener before several processes, each of which is a server that counts what it is asked. */
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import type { MemberProcess } from "../../src/main/processes/MemberProcess.ts"
import { makeProcesses, serveOpsOfAll } from "../../src/main/processes/OpsFront.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { openRaw, type RawConnection, sendRaw } from "../support/HttpRaw.ts"
import { close, listen } from "../support/Listening.ts"
import { rawProblem } from "../support/Problem.ts"
import { testSettings } from "../support/Settings.ts"

const TOKEN = "a token of operators"
const PLACES = 256
const asked: Array<string> = []

const memberAt = (opsPort: number): MemberProcess => ({
  startedMillis: 0,
  opsPort: Effect.succeed(opsPort),
  ready: Effect.void,
  ended: Effect.never,
  replace: Effect.void,
  stop: Effect.void
})

const METRICS = "# HELP served_total How many.\n# TYPE served_total counter\nserved_total 2\n"
const READY = JSON.stringify({ status: "healthy", parts: [{ name: "database", state: "healthy" }] })

const answering = (failing: boolean) =>
  createServer(({ url = "", headers }, response) => {
    asked.push(`${url} ${headers.authorization}`)
    if (failing) response.writeHead(500)
    response.end(url === "/metrics" ? METRICS : READY)
  })

const members: ReadonlyArray<Server> = [answering(false), answering(true)]
const scope = Effect.runSync(Scope.make())

const start = async () => {
  const { processes, answer } = makeProcesses(members.length, TOKEN)
  for (const [index, member] of members.entries()) {
    const place = processes.places[index]
    if (place !== undefined) place.member = memberAt(await listen(member))
  }
  const settings = testSettings({ opsPort: 0, metricsToken: Redacted.make(TOKEN) })
  const server = await serveOpsOfAll(answer).pipe(
    Effect.provide(Layer.succeed(Settings, settings)),
    Scope.extend(scope),
    Effect.runPromise
  )
  return `http://127.0.0.1:${Object(server.address()).port}`
}

const url = await start()

beforeEach(() => {
  asked.length = 0
})

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  for (const member of members) await close(member)
})

const REQUEST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

describe("no process is asked", () => {
  it("for metrics without the token", async () => {
    for (const authorization of ["", "Bearer wrong", `bearer ${TOKEN}`]) {
      const answer = await fetch(`${url}/metrics`, { headers: { authorization } })
      assert.strictEqual(answer.status, 401)
      assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
    }
    assert.deepStrictEqual(asked, [])
  })

  it("by a foreign name, for what there is not, or by another method", async () => {
    const foreign = await sendRaw(url, "GET /readyz HTTP/1.1\r\nHost: evil.example\r\n\r\n")
    assert.strictEqual(rawProblem(foreign).code, "INVALID_REQUEST_TARGET")
    assert.strictEqual((await fetch(`${url}/api/v1`)).status, 404)
    assert.strictEqual((await fetch(`${url}/readyz`, { method: "POST" })).status, 405)
    assert.deepStrictEqual(asked, [])
  })
})

describe("every process is asked", () => {
  it("for metrics, and what one of them cannot tell hides nothing of the others", async () => {
    const answer = await fetch(`${url}/metrics?x`, { headers: { authorization: `Bearer ${TOKEN}` } })
    assert.strictEqual(answer.status, 200)
    const text = await answer.text()
    assert.include(text, 'served_total{process="1"} 2')
    assert.notInclude(text, 'served_total{process="2"}')
    assert.include(text, 'service_process_serving{process="1"} 1\nservice_process_serving{process="2"} 0\n')
    assert.include(text, 'service_process_failures_total{process="2"} 0\n')
    assert.deepStrictEqual(asked, [`/metrics Bearer ${TOKEN}`, `/metrics Bearer ${TOKEN}`])
  })

  it("once for its readiness, however many want to know it at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/readyz`)))
    for (const { status } of answers) assert.strictEqual(status, 503)
    assert.strictEqual(asked.length, members.length)
  })
})

describe("a connection ends", { timeout: 120_000 }, () => {
  it.concurrent.each([
    ["that says nothing", ""],
    ["whose headers never end", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"],
    ["whose body never ends", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx"]
  ])("%s", async (_, bytes) => {
    const connection = openRaw(url)
    if (bytes !== "") connection.write(bytes)
    await connection.ended
  })

  it("on which more is asked at once than anybody needs", async () => {
    const connection = openRaw(url)
    connection.write(REQUEST.repeat(200))
    await connection.ended
  })
})

describe("a connection stays open between scrapes", () => {
  it("and says for how long", async () => {
    assert.strictEqual((await fetch(`${url}/healthz`)).headers.get("keep-alive"), "timeout=65")
  })
})

describe("who holds connections keeps nobody else out", () => {
  it("with as many as there may be: the one that has asked nothing for longest leaves", async () => {
    const used = openRaw(url)
    await once(used.socket, "connect")
    const held: Array<RawConnection> = []
    const hold = async () => {
      const connection = openRaw(url)
      await once(connection.socket, "connect")
      held.push(connection)
    }
    while (held.length < PLACES - 1) await hold()
    used.write(REQUEST)
    assert.strictEqual((await used.answers(1))[0]?.status, 200)
    const [first] = held
    await hold()
    await first?.ended
    const late = openRaw(url)
    late.write(REQUEST)
    assert.strictEqual((await late.answers(1))[0]?.status, 200)
    assert.isFalse(used.socket.destroyed)
    for (const { socket } of [used, late, ...held]) socket.destroy()
  })
})
