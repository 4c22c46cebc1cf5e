import { createServer } from "node:http"
import { type AddressInfo, isIPv4 } from "node:net"
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { chainGate } from "../../src/embedded/ChainGate.ts"
import { hiddenAddress } from "../../src/embedded/HiddenAddress.ts"
import { openRaw, sendRaw } from "../support/HttpRaw.ts"
import { freePort } from "../support/Ports.ts"

const QUESTION = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'

let asked: Array<string> = []
const scope = Effect.runSync(Scope.make())

/** Echoes what it was asked, and lets every origin read it, as a local chain does. */
const upstream = createServer(async (request, response) => {
  let text = ""
  for await (const part of request) text += part
  asked.push(text)
  response.writeHead(200, { "access-control-allow-origin": "*" }).end(text)
})
await new Promise<void>(resolve => upstream.listen(0, "127.0.0.1", resolve))
const address: AddressInfo | string | null = upstream.address()
const port = address !== null && typeof address === "object" ? address.port : 0
const gate = await Effect.runPromise(Scope.extend(chainGate(`http://127.0.0.1:${port}`), scope))

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  upstream.closeAllConnections()
  upstream.close()
})

const ask = async (headers: Readonly<Record<string, string>>, method = "POST", type = "application/json") => {
  asked = []
  const all = {
    Host: "127.0.0.1",
    "Content-Type": type,
    "Content-Length": String(QUESTION.length),
    ...headers
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = await sendRaw(
    gate,
    `${method} / HTTP/1.1\r\nConnection: close\r\n${lines.join("")}\r\n${QUESTION}`
  )
  return {
    status: answer?.status,
    cors: answer?.headers.get("access-control-allow-origin"),
    asked: asked.length
  }
}

describe("the gate of the local chain", () => {
  it("lets programs of this machine through, by address and by localhost, and wallets of a browser", async () => {
    for (const headers of [
      {},
      { Host: "localhost:8545" },
      { Host: "[::1]:1" },
      { Origin: "chrome-extension://abcdefghijklmnop" },
      { Origin: "moz-extension://0123-4567" }
    ])
      assert.deepStrictEqual(await ask(headers), { status: 200, cors: undefined, asked: 1 })
    const answer = await fetch(gate, { method: "POST", body: QUESTION })
    assert.strictEqual(await answer.text(), QUESTION)
  })

  it("lets no page through, of whatever origin, nor any name that was bound to it", async () => {
    for (const headers of [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: "http://localhost:3000" },
      { Origin: "https://evil.example/chrome-extension://" },
      { Host: "evil.example" },
      { Host: "evil.example:8545", Origin: "http://evil.example:8545" },
      { Host: "127.0.0.1.evil.example" }
    ])
      for (const type of ["application/json", "text/plain"])
        assert.deepStrictEqual(await ask(headers, "POST", type), { status: 403, cors: undefined, asked: 0 })
    assert.deepStrictEqual(await ask({ Origin: "https://evil.example" }, "OPTIONS"), {
      status: 403,
      cors: undefined,
      asked: 0
    })
    assert.deepStrictEqual(await ask({}, "GET"), { status: 405, cors: undefined, asked: 0 })
  })

  it("opens no web socket", async () => {
    const connection = openRaw(gate)
    connection.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    await connection.ended
    assert.isEmpty(await connection.answers(0))
  })
})

it("keeps the port that it is given, and takes another where that one is taken", async () => {
  const wanted = await freePort()
  const opened = (): Promise<string> =>
    Effect.runPromise(Scope.extend(chainGate(`http://127.0.0.1:${port}`, wanted), scope))
  assert.strictEqual(await opened(), `http://127.0.0.1:${wanted}`)
  const other = await opened()
  assert.notStrictEqual(other, `http://127.0.0.1:${wanted}`)
  const answer = await fetch(other, { method: "POST", body: QUESTION })
  assert.strictEqual(await answer.text(), QUESTION)
})

it("what stands behind it has an address of the loopback", async () => {
  const hidden = await hiddenAddress()
  assert.isTrue(isIPv4(hidden) && hidden.startsWith("127."))
})
