import { afterAll, assert, it } from "vitest"
import { startServiceProcess } from "../support/ServiceProcess.ts"

const REQUESTS = 100

const service = await startServiceProcess({ settings: { SERVICE_LOG_LEVEL: "info" } })

afterAll(() => service.stop())

it("a service whose lines nobody reads any more goes on, and ends in order", async () => {
  service.turnAway()
  for (let index = 0; index < REQUESTS; index++) {
    const answer = await fetch(`${service.url}/api/v1/accounts/me`)
    assert.strictEqual(answer.status, 401, await answer.text())
  }
  assert.isUndefined(service.exit())
  process.kill(service.pid, "SIGTERM")
  assert.strictEqual(await service.ended, 0)
})
