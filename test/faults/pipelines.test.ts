import { afterAll, assert, beforeAll, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { fastHeaders, namedOwner } from "../support/FastSign.ts"
import { rawRequest } from "../support/HttpRaw.ts"
import { CHAIN } from "../support/ServiceProcess.ts"
import { newOwner } from "../support/SignedFetch.ts"
import { campaign } from "./Campaign.ts"
import { chanceFrom } from "./crash/Chance.ts"
import { pipelineOf, type Signed } from "./pipelines/Pieces.ts"
import { play } from "./pipelines/Play.ts"
import { type ProbedService, startProbed } from "./probe/Probe.ts"
import type { Look } from "./probe/Words.ts"

/** Three thousand in `npm run faults -- --pipelines`. */
const { seed, sizes, asked, report } = campaign("pipelines", { count: 300 })

const ME = "/api/v1/accounts/me"
const AT_ONCE = 12
/** As long as a connection may linger, be idle before its first bytes, and wait for a request that never ends, and some more. */
const QUIET_WITHIN_MILLIS = 90_000
const NODE_MILLIS = 3
/** Of the database, and they may come late. */
const CONNECTIONS = 2

let service: ProbedService

beforeAll(async () => {
  service = await startProbed({ settings: { SERVICE_DATABASE_CONNECTIONS: String(CONNECTIONS) } })
  service.node.on("eth_getCode", async () => {
    await new Promise(resolve => setTimeout(resolve, NODE_MILLIS))
    return { result: "0x" }
  })
})

afterAll(() => service.stop())

const signing = async (): Promise<Signed> => {
  const owner = namedOwner(`pipelines ${seed}`, CHAIN)
  const request = { audience: service.audience, method: "GET", target: ME }
  const good = () => rawRequest("GET", ME, fastHeaders(owner, request))
  const forged = () =>
    rawRequest("GET", ME, { ...fastHeaders(owner, request), "X-Service-Signature": `0x${"11".repeat(65)}` })
  return { good, forged }
}

const answers = async (url: string): Promise<number> => {
  const answer = await fetch(url, { headers: { connection: "close" } })
  await answer.arrayBuffer()
  return answer.status
}

/** What is still held when the last had its time to go. */
const lastLook = async (handles: number): Promise<Look> => {
  const until = performance.now() + QUIET_WITHIN_MILLIS
  for (;;) {
    const look = await service.look()
    if ((look.sockets === 0 && look.handles <= handles) || performance.now() > until) return look
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

it("whatever is said on a connection and however it breaks, the process goes on and keeps nothing of it", {
  timeout: asked ? 3_600_000 : 300_000
}, async () => {
  await enroll(service, newOwner(CHAIN))
  const before = await service.look()
  const signed = await signing()
  const endings: Record<string, number> = {}
  let next = 0
  const player = async () => {
    while (next < sizes.count && service.exit() === undefined) {
      const chance = chanceFrom(seed + next++)
      const pipeline = pipelineOf(chance, signed)
      endings[pipeline.ending] = (endings[pipeline.ending] ?? 0) + 1
      await play(pipeline, pipeline.toOperators ? service.opsUrl : service.url, chance)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, player))
  const exit = service.exit()
  report({ ...sizes, endings, deaths: exit === undefined ? 0 : 1 })
  assert.isUndefined(exit)
  assert.deepStrictEqual(
    [await answers(`${service.url}/api/v1`), await answers(`${service.opsUrl}/healthz`)],
    [200, 200]
  )
  const most = before.handles + CONNECTIONS
  const after = await lastLook(most)
  assert.strictEqual(after.sockets, 0, "sockets held")
  assert.isAtMost(after.handles, most, "handles held")
})
