import { once } from "node:events"
import { afterAll, assert, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { toldClock } from "../support/Clocks.ts"
import { openRaw, rawRequest } from "../support/HttpRaw.ts"
import { rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedFetch, signedInit } from "../support/SignedFetch.ts"
import { connected } from "../support/Sql.ts"
import { until } from "../support/Until.ts"

/** As long as work in hand is waited for; nobody works for an idle connection. */
const GRACE_MILLIS = 25_000

const ME = "/api/v1/accounts/me"

const first = await startService()

afterAll(() => first.stop())

const refused = (url: string) =>
  fetch(`${url}/api/v1`).then(
    () => false,
    () => true
  )

it("finishes what it works on, refuses what comes on kept connections, and takes no new ones", async () => {
  const service = await startService({ databaseUrl: first.databaseUrl })
  const owner = newOwner()
  await enroll(service, owner)
  const holder = await connected(first.databaseUrl)
  await holder.query("BEGIN")
  await holder.query("SELECT 1 FROM accounts FOR UPDATE")
  const kept = openRaw(service.url)
  kept.write(rawRequest("GET", "/api/v1"))
  await kept.answers(1)
  const working = signedFetch(service, owner, "GET", ME)
  for (let asked = 0; asked < 20; asked++) await (await fetch(`${service.url}/api/v1`)).arrayBuffer()
  const stopped = service.stop()
  await until(
    () => refused(service.url),
    gone => gone
  )
  kept.write(rawRequest("GET", "/api/v1"))
  const [, late] = await kept.answers(2)
  assert.deepInclude(rawProblem(late), { code: "SHUTTING_DOWN", status: 503 })
  assert.strictEqual(late?.headers.get("retry-after"), "1")
  assert.strictEqual(late?.headers.get("connection"), "close")
  await kept.ended
  await holder.query("COMMIT")
  await holder.end()
  assert.strictEqual((await working).status, 200)
  await stopped
})

it("ends idle connections with itself", async () => {
  const service = await startService({ databaseUrl: first.databaseUrl })
  const idle = openRaw(service.url)
  idle.write(rawRequest("GET", "/api/v1"))
  await idle.answers(1)
  const started = performance.now()
  await service.stop()
  await idle.ended
  assert.isBelow(performance.now() - started, GRACE_MILLIS)
})

it("is held up no longer than its grace by a request whose work does not end", async () => {
  const time = toldClock(["25 seconds"])
  const service = await startService({ databaseUrl: first.databaseUrl, clock: time.clock })
  const owner = newOwner()
  await enroll(service, owner)
  const { headers } = await signedInit(service, owner, "PATCH", ME, { rawBody: "{}" })
  const working = openRaw(service.url)
  working.write(rawRequest("PATCH", ME, { ...headers, "Content-Length": "2" }, "{"))
  await once(working.socket, "ready")
  for (let asked = 0; asked < 20; asked++) await (await fetch(`${service.url}/api/v1`)).arrayBuffer()
  const stopped = service.stop()
  await time.over("25 seconds")
  await stopped
  await working.ended
  assert.deepStrictEqual(await working.answers(1), [])
})
