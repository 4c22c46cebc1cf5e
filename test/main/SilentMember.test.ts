/** What operators are told of several processes, one of which is silent. */
import { createServer, type Server, type ServerResponse } from "node:http"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { MemberProcess } from "../../src/main/processes/MemberProcess.ts"
import { makeProcesses } from "../../src/main/processes/OpsFront.ts"
import { close, listen } from "../support/Listening.ts"

const METRICS = [
  ...["# HELP served_total How many.", "# TYPE served_total counter", "served_total 2"],
  ...["# HELP service_ready Whether.", "# TYPE service_ready gauge", "service_ready 1", ""]
].join("\n")

const HEALTHY = JSON.stringify({ status: "healthy" })

let isSilent = false

const answer = (url: string | undefined, response: ServerResponse) =>
  response.end(url === "/metrics" ? METRICS : HEALTHY)

const stalling = createServer(({ url }, response) => void (isSilent || answer(url, response)))
const well = createServer(({ url }, response) => void answer(url, response))

const memberAt = async (server: Server): Promise<MemberProcess> => ({
  startedMillis: 0,
  opsPort: Effect.succeed(await listen(server)),
  ready: Effect.void,
  ended: Effect.never,
  replace: Effect.void,
  stop: Effect.void
})

const { processes, answer: asked } = makeProcesses(2, undefined)

beforeAll(async () => {
  const [first, second] = processes.places
  if (first === undefined || second === undefined) return assert.fail("a place is missing")
  first.member = await memberAt(stalling)
  second.member = await memberAt(well)
})

afterAll(async () => {
  stalling.closeAllConnections()
  await close(stalling)
  await close(well)
})

const told = async (path: "/metrics" | "/healthz") => {
  const { status, body } = await Effect.runPromise(asked(path))
  return { status, lines: body.toString().split("\n") }
}

describe("a process that is silent", { timeout: 60_000 }, () => {
  it("shows in the metrics as such, and its gauges are those of nobody any more", async () => {
    const before = await told("/metrics")
    assert.includeMembers(before.lines, [
      'service_ready{process="1"} 1',
      'service_process_serving{process="1"} 1'
    ])
    isSilent = true
    const { lines } = await told("/metrics")
    assert.notInclude(lines, 'service_ready{process="1"} 1')
    assert.includeMembers(lines, [
      'served_total{process="1"} 2',
      'served_total{process="2"} 2',
      'service_ready{process="2"} 1',
      'service_process_serving{process="1"} 0',
      'service_process_serving{process="2"} 1'
    ])
  })

  it("ends the liveness of no other, which answers at once", async () => {
    isSilent = true
    const began = performance.now()
    assert.strictEqual((await told("/healthz")).status, 200)
    assert.isBelow(performance.now() - began, 4_000)
  })

  it("and nobody beside it, is none", async () => {
    const [, second] = processes.places
    if (second !== undefined) second.member = undefined
    assert.strictEqual((await told("/healthz")).status, 503)
  })
})
