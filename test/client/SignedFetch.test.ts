import { afterAll, assert, describe, it } from "vitest"
import { ClientMisuse } from "../../src/client/Errors.ts"
import { signedFetch } from "../../src/client/SignedFetch.ts"
import { startService } from "../support/Service.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { json, problem, type Scripted, scriptedFetch } from "./support/ScriptedFetch.ts"

const NOW = 1_800_000_000_000
const AUDIENCE = "http://service.test"

const key = newKey()
const account = accountOf(key.address)
const service = await startService()

afterAll(() => service.stop())

const scripted = (script: ReadonlyArray<Scripted>, baseUrl = AUDIENCE) => {
  const { fetch, sent } = scriptedFetch(script)
  const signing = signedFetch(key, {
    baseUrl,
    audience: AUDIENCE,
    account,
    fetch,
    system: heldSystem(NOW)
  })
  return { signing, sent }
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it resolved"),
    failure => failure
  )

describe("a fetch that signs", () => {
  it("is believed by the service, whatever form a request has", async () => {
    const signing = signedFetch(key, { baseUrl: service.url, account })
    const headers = { "content-type": "application/json" }
    const enrolled = await signing(`${service.url}/api/v1/accounts/enroll`, {
      method: "POST",
      headers,
      body: "{}"
    })
    assert.strictEqual(enrolled.status, 200)
    const body = JSON.stringify({ displayName: "Ada's café" })
    const request = new Request(`${service.url}/api/v1/accounts/me`, { method: "PATCH", headers, body })
    assert.strictEqual((await signing(request)).status, 200)
    const shown = await signing(new URL("/api/v1/accounts/me#top", service.url))
    assert.include(await shown.text(), "Ada's café")
    const searched = await signing("/api/v1/intents?q=Ada's café&limit=1")
    assert.strictEqual(searched.status, 200)
    assert.deepStrictEqual(JSON.parse(await searched.text()).items, [])
  })

  it("gives refusals as answers", async () => {
    const signing = signedFetch(key, { baseUrl: service.url, account })
    const refused = await signing("/api/v1/plans/5f0c8a52-0b1c-4f0a-9f53-000000000001")
    assert.strictEqual(refused.status, 404)
    assert.strictEqual(JSON.parse(await refused.text()).code, "PLAN_NOT_FOUND")
  })

  it("sends what it was given beside the signature, below the path of the service's address", async () => {
    const { signing, sent } = scripted([json(201, {})], `${AUDIENCE}/behind/`)
    await signing(`${AUDIENCE}/behind/api/v1/plans`, {
      method: "POST",
      headers: { "content-type": "application/json", "Idempotency-Key": "k.1", accept: "application/json" },
      body: '{"é":1}'
    })
    const [{ url, body, headers } = assert.fail("nothing was sent")] = sent
    assert.strictEqual(url, `${AUDIENCE}/behind/api/v1/plans`)
    assert.strictEqual(body, '{"é":1}')
    assert.strictEqual(headers.get("content-type"), "application/json")
    assert.strictEqual(headers.get("idempotency-key"), "k.1")
    assert.strictEqual(headers.get("accept"), "application/json")
    assert.strictEqual(headers.get("x-service-account"), account)
  })

  it("signs for no other place", async () => {
    const { signing, sent } = scripted([], `${AUDIENCE}/behind`)
    for (const url of [
      "http://other.test/behind/api/v1/plans",
      `${AUDIENCE}.evil.test/behind/x`,
      `${AUDIENCE}/api/v1/plans`,
      `${AUDIENCE}/behind/../api/v1/plans`,
      "/../api/v1/plans"
    ])
      assert.instanceOf(await rejection(signing(url)), ClientMisuse, url)
    assert.deepStrictEqual(sent, [])
  })

  it("signs once more on a clock that has moved, and not on one that has not", async () => {
    const expired = (serverTime: number) => problem(401, "AUTH_EXPIRED", { diagnosis: { serverTime } })
    const moved = scripted([expired(NOW / 1000 + 600), json(200, { account: {} })])
    assert.strictEqual((await moved.signing("/api/v1/accounts/me")).status, 200)
    const [before, after] = moved.sent.map(({ headers }) => Number(headers.get("x-service-issued-at")))
    assert.strictEqual((after ?? 0) - (before ?? 0), 600)
    assert.strictEqual(new Set(moved.sent.map(({ headers }) => headers.get("x-service-nonce"))).size, 2)
    const still = scripted([expired(NOW / 1000)])
    const refused = await still.signing("/api/v1/accounts/me")
    assert.strictEqual(JSON.parse(await refused.text()).code, "AUTH_EXPIRED")
    assert.lengthOf(still.sent, 1)
  })

  it("leaves with the signal's reason before anything is sent", async () => {
    const { signing, sent } = scripted([])
    const reason = new Error("enough")
    const failure = await rejection(signing("/api/v1/accounts/me", { signal: AbortSignal.abort(reason) }))
    assert.strictEqual(failure, reason)
    assert.deepStrictEqual(sent, [])
  })
})
