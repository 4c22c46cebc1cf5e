/** Whatever is said on a connection and however it breaks, the process goes on: a real one, since only that could end. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { afterAll, assert, describe, it } from "vitest"
import { rawRequest } from "../support/HttpRaw.ts"
import { CHAIN, startServiceProcess } from "../support/ServiceProcess.ts"
import { newOwner, signedInit } from "../support/SignedFetch.ts"

const ME = "/api/v1/accounts/me"
const CONNECT = "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n"
const UPGRADE = rawRequest("GET", "/api/v1", { Connection: "Upgrade", Upgrade: "websocket" })
const ROUNDS = 6

const service = await startServiceProcess()

afterAll(() => service.stop())

const speaking = async (url: string, bytes: string): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  socket.on("error", () => {})
  await once(socket, "connect")
  socket.write(bytes)
  return socket
}

/** A request whose answer waits for the node, which is asked for the code of its owner. */
const unanswered = async (): Promise<string> => {
  const { headers } = await signedInit(service, newOwner(CHAIN), "GET", ME)
  return rawRequest("GET", ME, { ...headers, "X-Service-Signature": `0x${"11".repeat(65)}` })
}

/** Holds the node's next answer. */
const holding = () => {
  let goOn = () => {}
  const held = new Promise<void>(resolve => {
    goOn = resolve
  })
  const asked = new Promise<void>(resolve =>
    service.node.once("eth_getCode", async () => {
      resolve()
      await held
      return { result: "0x" }
    })
  )
  return { asked, goOn }
}

const goesOn = async (url: string) => {
  for (let asked = 0; asked < 2; asked++) {
    const answer = await fetch(url).catch(() => undefined)
    assert.isUndefined(service.exit())
    assert.strictEqual(answer?.status, 200)
    await answer?.arrayBuffer()
  }
}

describe("a reset ends its connection and nothing else", () => {
  it.each([
    ["CONNECT", CONNECT],
    ["CONNECT and bytes of a tunnel", `${CONNECT}\x16\x03\x01${"tunnelled".repeat(100)}`],
    ["an upgrade", UPGRADE],
    ["what is not HTTP", "NOT HTTP\r\n\r\n"]
  ])("behind %s, while the request before it has no answer", async (_, behind) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { asked, goOn } = holding()
      const socket = await speaking(service.url, (await unanswered()) + behind)
      await asked
      socket.resetAndDestroy()
      await goesOn(`${service.url}/api/v1`)
      goOn()
      await goesOn(`${service.url}/api/v1`)
    }
  })

  it("on the operators' listener", async () => {
    for (const bytes of [CONNECT, `GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n${CONNECT}`, "NOT HTTP\r\n\r\n"]) {
      const socket = await speaking(service.opsUrl, bytes)
      socket.resetAndDestroy()
      await goesOn(`${service.opsUrl}/healthz`)
    }
  })
})
