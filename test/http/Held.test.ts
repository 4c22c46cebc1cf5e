import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { Held } from "../../src/http/Connections.ts"
import { makeExchange } from "../../src/http/Exchange.ts"
import { openRaw, rawRequest } from "../support/HttpRaw.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { standingClock } from "./support/StandingClock.ts"

const BUDGET = 2
const ME = rawRequest("GET", "/api/v1/accounts/me")

const exchangeOn = (socket: Socket) => {
  const request = new IncomingMessage(socket)
  return makeExchange(request, new ServerResponse(request), "id", 0)
}

describe("a refusal that is held", () => {
  it("is told once, and its connection is read again only then", () => {
    const held = new Held()
    const socket = new Socket()
    const told: Array<string> = []
    held.add(exchangeOn(socket), () => told.push("first"))
    held.add(exchangeOn(socket), () => told.push("second"))
    assert.deepStrictEqual([told, socket.isPaused()], [[], true])
    held.tellAll()
    held.tellAll()
    assert.deepStrictEqual([told, socket.isPaused()], [["first", "second"], false])
  })
})

describe("an address that has spent its budget", () => {
  let service: RunningService

  beforeEach(async () => {
    const quotas = { owner: 1e6, bots: 1e6, address: BUDGET, rpc: 1e6 }
    service = await startService({ settings: { quotas }, clock: standingClock() })
  })

  afterEach(() => service.stop())

  it("is answered for each of its requests, in their order, on a connection that stays", async () => {
    const connection = openRaw(service.url)
    connection.write(ME.repeat(BUDGET + 3))
    const answers = await connection.answers(BUDGET + 3)
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [401, 401, 429, 429, 429]
    )
    connection.write(rawRequest("GET", "/api/v1"))
    const [last] = (await connection.answers(BUDGET + 4)).slice(-1)
    assert.strictEqual(last?.status, 200)
    connection.socket.destroy()
  })

  it("is answered before the service ends", async () => {
    const connection = openRaw(service.url)
    connection.write(ME.repeat(BUDGET + 1))
    await connection.answers(BUDGET)
    await service.stop()
    const answers = await connection.answers(BUDGET + 1)
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [401, 401, 429]
    )
  })
})
