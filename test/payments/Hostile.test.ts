/** What is sent to the pages of reviews without a page, in other forms, or too often, and to the routes of apps: refused with a whole problem, at little cost, and nothing changes. */
import { afterAll, assert, describe, it } from "vitest"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { spoiltBodies } from "../support/SpoiltBodies.ts"
import { sqlOn } from "../support/Sql.ts"
import { approve, assertionFor, cancel, decide } from "./support/Deciding.ts"
import {
  appBot,
  newState,
  operationBy,
  pilotWallet,
  registerPasskey,
  reviewed,
  startPilotBench
} from "./support/PilotBench.ts"

const bench = await startPilotBench()
const { service } = bench
const pilot = await pilotWallet(bench, 0)
const bot = await appBot(bench, pilot)
const operation = await operationBy(bench, pilot, bot)
const review = await reviewed(bench, bot, operation.id)

afterAll(() => bench.stop())

const MILLIS = { timeout: 120_000 }
const ABSENT = "00000000-0000-4000-8000-000000000000"

const rows = () =>
  sqlOn(
    service.databaseUrl,
    "SELECT (SELECT json_agg(r) FROM payment_reviews r)::text AS reviews, (SELECT json_agg(c) FROM credentials c)::text AS credentials"
  )

const unchanged = async (work: () => Promise<void>) => {
  const before = await rows()
  await work()
  assert.deepStrictEqual(await rows(), before)
}

describe("the pages", () => {
  it("decide nothing for a page of another origin, or for none", MILLIS, () =>
    unchanged(async () => {
      const origins = [
        { origin: "https://app.example" },
        { origin: "null" },
        { origin: `${service.audience}/` },
        { origin: service.audience.replace("localhost", "127.0.0.1") },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        { "sec-fetch-site": "" }
      ]
      for (const headers of origins) {
        const cancelled = await decide(service, review.id, "cancel", {}, { headers })
        await assertProblem(cancelled, "WALLET_PAGE_REQUIRED")
        const assertion = assertionFor(bench, pilot, review)
        const approved = await decide(service, review.id, "approve", { assertion }, { headers })
        await assertProblem(approved, "WALLET_PAGE_REQUIRED")
      }
    })
  )
})

const right = () => assertionFor(bench, pilot, review)

describe("bodies of the pages", () => {
  it("of another form are refused, each member for itself", MILLIS, () =>
    unchanged(async () => {
      const spoilt = [
        ...spoiltBodies({ assertion: right() }),
        ...spoiltBodies(right()).map(([what, assertion]) => [what, { assertion }] as const)
      ]
      for (const [what, body] of spoilt) {
        const answer = await decide(service, review.id, "approve", body)
        const { status, code } = await problemIn(answer)
        /** What fits a part's alphabet is judged with the whole. */
        assert.include([400, 403], status, `${what}: ${code}`)
      }
      for (const body of [null, [], "", { more: 1 }, { assertion: right() }, 1])
        assert.strictEqual((await decide(service, review.id, "cancel", body)).status, 400)
    })
  )

  it("that are too large, no JSON, or in no browser's form are refused", MILLIS, () =>
    unchanged(async () => {
      const large = JSON.stringify({ assertion: { ...right(), signature: "A".repeat(70_000) } })
      await assertProblem(await decide(service, review.id, "approve", large), "BODY_TOO_LARGE")
      await assertProblem(await decide(service, review.id, "approve", "{"), "INVALID_JSON")
      await assertProblem(await decide(service, review.id, "cancel", '{"a":1,"a":2}'), "DUPLICATE_JSON_KEY")
      const form = { headers: { "content-type": "application/x-www-form-urlencoded" } }
      await assertProblem(await decide(service, review.id, "cancel", "a=1", form), "UNSUPPORTED_MEDIA_TYPE")
      const plain = { headers: { "content-type": "text/plain" } }
      await assertProblem(await decide(service, review.id, "cancel", {}, plain), "UNSUPPORTED_MEDIA_TYPE")
    })
  )
})

describe("other requests to the pages", () => {
  it("find nothing by other ids, methods and queries", MILLIS, () =>
    unchanged(async () => {
      await assertProblem(await decide(service, ABSENT, "cancel", {}), "PAYMENT_REVIEW_NOT_FOUND")
      await assertProblem(
        await decide(service, ABSENT, "approve", { assertion: right() }),
        "PAYMENT_REVIEW_NOT_FOUND"
      )
      for (const id of [operation.id, bot.grantId])
        await assertProblem(await decide(service, id, "cancel", {}), "PAYMENT_REVIEW_NOT_FOUND")
      for (const id of [review.id.toUpperCase(), `${review.id}0`, "%2e%2e", "' OR 1=1--"])
        assert.include([400, 404], (await decide(service, id, "cancel", {})).status)
      for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"])
        await assertProblem(await decide(service, review.id, "cancel", {}, { method }), "METHOD_NOT_ALLOWED")
      const page = `${service.url}/wallet/payment-reviews/${review.id}`
      await assertProblem(await fetch(page, { method: "POST" }), "METHOD_NOT_ALLOWED")
      await assertProblem(await fetch(`${page}?redirect=https://evil.example`), "INVALID_QUERY")
      await assertProblem(await fetch(`${page}/cancel`), "METHOD_NOT_ALLOWED")
      const preflight = await fetch(`${page}/approve`, { method: "OPTIONS" })
      assert.isNull(preflight.headers.get("access-control-allow-origin"))
    })
  )

  it("are thirty in a minute from one address", MILLIS, async () => {
    const headers = { "x-forwarded-for": "192.0.2.7" }
    const answers = []
    for (let each = 0; each < 70; each++)
      answers.push(await decide(service, ABSENT, "cancel", {}, { headers }))
    const limited = answers.filter(({ status }) => status === 429)
    assert.isAtLeast(limited.length, 10)
    await assertProblem(limited[0] ?? assert.fail("none was limited"), "RATE_LIMITED")
    assert.isAtLeast(answers.filter(({ status }) => status === 404).length, 30)
  })
})

describe("bodies of the routes", () => {
  /** What happens to be base64url. */
  const fitting = { credentialId: ["0xzz", `0x${"00".repeat(33)}`, `0x${"0".repeat(39)}g`] }

  const refusesAll = async (path: string, body: Readonly<Record<string, unknown>>, party: Party = bot) => {
    for (const [what, given] of spoiltBodies(body, fitting)) {
      const answer = await signedFetch(service, party, "POST", path, {
        rawBody: JSON.stringify(given),
        idempotencyKey: freshNonce()
      })
      assert.strictEqual(answer.status, 400, `${what}: ${await answer.clone().text()}`)
      await problemIn(answer)
    }
  }

  it("of another form are refused, each member for itself", MILLIS, () =>
    unchanged(async () => {
      await refusesAll("/api/v1/wallet/payment-reviews", { operationId: operation.id, state: newState() })
      const { x, y, credentialId } = pilot.passkey
      const credential = { bindingId: pilot.binding.id, credentialId, publicKey: { x, y } }
      await refusesAll("/api/v1/wallet/credentials", credential, pilot.owner)
      for (const publicKey of [{ x }, { x, y: "0x" }, { x, y, z: y }, [x, y]])
        assert.strictEqual((await registerPasskey(bench, pilot, { publicKey })).status, 400)
      for (const other of ["a", "ab=", "AB", "a".repeat(1_366), "é", "+/aa"])
        assert.strictEqual((await registerPasskey(bench, pilot, { credentialId: other })).status, 400, other)
    })
  )
})

describe("what was decided", () => {
  it("is in no answer but the app's own, in no log and no problem", MILLIS, async () => {
    assert.strictEqual((await approve(bench, pilot, review)).status, 200)
    const assertion = right()
    const again = await (await decide(service, review.id, "approve", { assertion })).text()
    assert.notInclude(again, assertion.signature)
    const page = await (await fetch(`${service.url}/wallet/payment-reviews/${review.id}`)).text()
    const shown = await signedFetch(service, bot, "GET", `/api/v1/wallet/payment-reviews/${review.id}`)
    const { approval } = await shown.json()
    assert.notInclude(page, approval.signature.slice(2))
    assert.notInclude(await (await cancel(bench, review)).text(), approval.signature.slice(2))
    const operated = await signedFetch(service, bot, "GET", `/api/v1/user-operations/${operation.id}`)
    assert.notInclude(await operated.text(), approval.signature.slice(2))
  })
})
