/** What is answered from kept bytes, and preflights, have a budget too: ten times that of discovery. */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"
import { standingClock } from "./support/StandingClock.ts"

const BUDGET = 2
const KEPT = 10 * BUDGET

const service = await startService({
  settings: {
    quotas: { owner: 1e6, bots: 1e6, address: BUDGET, rpc: 1e6 },
    trustedProxies: ["127.0.0.1"]
  },
  clock: standingClock()
})
const owner = newOwner()

let clients = 0
const from = (address: string) => ({ "X-Forwarded-For": address })
const newAddress = () => {
  clients += 1
  return `10.0.0.${clients}`
}

const asking = (target: string, address: string, method = "GET") =>
  fetch(`${service.url}${target}`, { method, headers: from(address) })

const statuses = async (times: number, target: string, address: string, method = "GET") => {
  const seen: Array<number> = []
  for (let index = 0; index < times; index++) seen.push((await asking(target, address, method)).status)
  return seen
}

const TARGETS = ["/api/v1/catalog/contracts?limit=1", "/docs/style.css"]

/** What is counted within a minute is counted within the same one. */
beforeEach(() => stopClock(service.databaseUrl, Math.floor(Date.now() / 1000)))

beforeAll(async () => {
  await enroll(service, owner)
  for (const target of TARGETS) await statuses(BUDGET, target, newAddress())
})

afterAll(() => service.stop())

const assertKnownIsServed = async (address: string) => {
  const shown = await signedFetch(service, owner, "GET", "/api/v1/accounts/me", { headers: from(address) })
  assert.strictEqual(shown.status, 200)
}

describe("a client's address", () => {
  for (const target of TARGETS)
    it(`is given so many kept answers of ${target}, then what is left of discovery, and no more`, async () => {
      const address = newAddress()
      const given = KEPT + BUDGET
      assert.deepStrictEqual(await statuses(given, target, address), Array(given).fill(200))
      const refused = await asking(target, address)
      assert.strictEqual((await problemIn(refused)).code, "RATE_LIMITED")
      assert.deepStrictEqual(await statuses(1, target, newAddress()), [200])
      await assertKnownIsServed(address)
    })

  it("is given so many preflights, whatever discovery it asked for before", async () => {
    const address = newAddress()
    const target = "/api/v1/accounts/me"
    await statuses(BUDGET + 1, "/api/v1", address)
    assert.deepStrictEqual(await statuses(KEPT, target, address, "OPTIONS"), Array(KEPT).fill(204))
    assert.strictEqual((await problemIn(await asking(target, address, "OPTIONS"))).code, "RATE_LIMITED")
    await assertKnownIsServed(address)
  })
})
