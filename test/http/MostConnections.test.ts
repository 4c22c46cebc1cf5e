/** A listener that has all the connections that it may have takes one more in the place of the one that has asked nothing for longest. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { assert, it, onTestFinished } from "vitest"
import { Connections } from "../../src/http/Connections.ts"
import { close, listen } from "../support/Listening.ts"
import { until } from "../support/Until.ts"

const MOST = 3

/** It answers when it is told to. */
const started = async () => {
  const awaited = new Map<Socket, ServerResponse>()
  const server = createServer(({ socket }, response) => {
    awaited.set(socket, response)
    response.once("close", () => awaited.delete(socket))
  })
  const connections = new Connections(server, MOST, socket => awaited.has(socket))
  const port = await listen(server)
  onTestFinished(async () => {
    connections.end()
    await close(server)
  })
  const opened = async (): Promise<Socket> => {
    const client = connect(port, "127.0.0.1").on("error", () => {})
    client.resume()
    await Promise.all([once(client, "connect"), once(server, "connection")])
    return client
  }
  const ask = async (client: Socket): Promise<Socket> => {
    const before = awaited.size
    client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    await until(
      async () => awaited.size,
      size => size > before
    )
    return client
  }
  const asking = async () => ask(await opened())
  const answerAll = () => {
    for (const response of awaited.values()) response.end("done")
  }
  return { opened, ask, asking, answerAll }
}

const isOver = async (client: Socket): Promise<void> => {
  if (!client.destroyed) await once(client, "close")
}

it("it is one that says nothing, and no other", async () => {
  const { opened, asking, answerAll } = await started()
  const awaiting = await asking()
  const [silent, later] = [await opened(), await opened()]
  const last = await asking()
  await isOver(silent)
  for (const each of [awaiting, later, last]) assert.isFalse(each.destroyed)
  const told = Promise.all([once(awaiting, "data"), once(last, "data")])
  answerAll()
  await told
})

it("it is none that came first and asked last", async () => {
  const { opened, ask, answerAll } = await started()
  const [first, second, third] = [await opened(), await opened(), await opened()] as const
  for (const client of [third, first]) {
    const told = once(await ask(client), "data")
    answerAll()
    await told
  }
  const last = await opened()
  await isOver(second)
  for (const each of [first, third, last]) assert.isFalse(each.destroyed)
})

it("it is the one that asked first, where all await their answers", async () => {
  const { opened, asking } = await started()
  const [first, second, third] = [await asking(), await asking(), await asking()] as const
  const last = await opened()
  await isOver(first)
  for (const each of [second, third, last]) assert.isFalse(each.destroyed)
})
