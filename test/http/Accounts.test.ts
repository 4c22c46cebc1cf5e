import { afterAll, assert, describe, it } from "vitest"
import { stopClock } from "../support/DatabaseTime.ts"
import { startService } from "../support/Service.ts"
import { freshNonce, newOwner, signedFetch } from "../support/SignedFetch.ts"

/** The database's clock stands still, so that no minute of a quota ends within a test. */
const service = await startService()
await stopClock(service.databaseUrl, Math.floor(Date.now() / 1000))

afterAll(() => service.stop())

describe("accounts", () => {
  it("enrols an owner once and shows the account", async () => {
    const owner = newOwner()
    const first = await signedFetch(service, owner, "POST", "/api/v1/accounts/enroll", { body: {} })
    const enrolled = await first.json()
    assert.strictEqual(first.status, 200, JSON.stringify(enrolled))
    const again = await signedFetch(service, owner, "POST", "/api/v1/accounts/enroll", { body: {} })
    assert.deepStrictEqual(await again.json(), enrolled)
    const shown = await signedFetch(service, owner, "GET", "/api/v1/accounts/me")
    assert.deepStrictEqual(await shown.json(), enrolled)
    assert.strictEqual(shown.headers.get("ratelimit-limit"), "300")
    assert.strictEqual(shown.headers.get("ratelimit-remaining"), "297")
  })

  it("accepts one of thirty racing requests with one nonce", async () => {
    const owner = newOwner()
    await signedFetch(service, owner, "POST", "/api/v1/accounts/enroll", { body: {} })
    const nonce = freshNonce()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => signedFetch(service, owner, "GET", "/api/v1/accounts/me", { nonce }))
    )
    const statuses = answers.map(answer => answer.status).sort()
    assert.deepStrictEqual(statuses, [200, ...Array.from({ length: 29 }, () => 409)])
  })
})
