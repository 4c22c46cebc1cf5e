/** What an enrolment stores, and what a stranger learns of who is enrolled. */
import { afterAll, assert, describe, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { freshNonce, newOwner, type Party, type RequestOptions, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"

const ENROLL = "/api/v1/accounts/enroll"
const ME = "/api/v1/accounts/me"

const service = await startService({
  settings: { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 } }
})

afterAll(() => service.stop())

/** Every row of every table that tells of accounts. */
const stored = () =>
  sqlOn(
    service.databaseUrl,
    `SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM request_nonces) AS nonces,
      (SELECT count(*) FROM request_usage) AS usage`
  )

const WRONG: ReadonlyArray<readonly [string, RequestOptions]> = [
  ["INVALID_INPUT", { body: { displayName: "a" } }],
  ["INVALID_INPUT", { body: [] }],
  ["INVALID_INPUT", { body: null }],
  ["INVALID_JSON", { rawBody: "{" }],
  ["INVALID_JSON", { rawBody: "", contentType: "application/json" }],
  ["DUPLICATE_JSON_KEY", { rawBody: '{"a":1,"a":1}' }],
  ["RESERVED_JSON_KEY", { rawBody: '{"__proto__":{}}' }],
  ["JSON_TOO_COMPLEX", { rawBody: `${"[".repeat(40)}${"]".repeat(40)}` }],
  ["INVALID_UTF8", { bytes: Uint8Array.of(0x22, 0xff, 0x22) }]
]

describe("an enrolment", () => {
  it("stores nothing at all when its body is refused", async () => {
    const owner = newOwner()
    const nonce = freshNonce()
    const before = await stored()
    for (const [code, options] of WRONG) {
      await assertProblem(await enroll(service, owner, { ...options, body: options.body, nonce }), code)
      assert.deepStrictEqual(await stored(), before, code)
    }
    await assertProblem(await signedFetch(service, owner, "GET", ME), "ACCOUNT_NOT_FOUND")
    assert.strictEqual((await enroll(service, owner, { nonce })).status, 200)
  })

  it("of an account that exists consumes its nonce like any request that its operation refuses", async () => {
    const owner = newOwner()
    await enroll(service, owner)
    const nonce = freshNonce()
    const refused = await enroll(service, owner, { body: { a: 1 }, nonce })
    assert.isNotNull(refused.headers.get("ratelimit-remaining"))
    await assertProblem(refused, "INVALID_INPUT")
    await assertProblem(await enroll(service, owner, { nonce }), "NONCE_REUSED")
  })
})

const BOT = { grantId: "01234567-89ab-4def-8123-456789abcdef" }

/** All of an answer but what differs with each. */
const told = async (answer: Response) => {
  const { requestId: _, diagnosis = {}, ...problem } = await problemIn(answer)
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !["date", "x-request-id"].includes(name))
  )
  return { ...problem, diagnosis: Object.keys(diagnosis), headers: { ...headers, "content-length": "" } }
}

describe("a stranger", () => {
  const now = () => Math.floor(Date.now() / 1000)
  const windows: ReadonlyArray<readonly [string, () => RequestOptions]> = [
    ["in time", () => ({})],
    ["just late", () => ({ issuedAt: now() - 90, expiresAt: now() - 30 })],
    ["just early", () => ({ issuedAt: now() + 60, expiresAt: now() + 120 })]
  ]

  it("is told the same of an account that is enrolled and of one that is not", async () => {
    const enrolled = newOwner()
    await enroll(service, enrolled)
    const asked: ReadonlyArray<readonly [string, string, unknown]> = [
      ["GET", ME, undefined],
      ["PATCH", ME, {}],
      ["GET", "/api/v1/plans", undefined],
      ["POST", ENROLL, {}]
    ]
    for (const [method, target, body] of asked)
      for (const [when, window] of windows)
        for (const grant of [{}, BOT]) {
          const stranger = newOwner()
          const ask = ({ accountId }: Party) =>
            signedFetch(service, { ...stranger, ...grant, accountId }, method, target, { body, ...window() })
          const one = await told(await ask(enrolled))
          assert.deepStrictEqual(await told(await ask(newOwner())), one, `${method} ${target} ${when}`)
          assert.strictEqual(one.code, when === "in time" || target === ENROLL ? "FORBIDDEN" : "AUTH_EXPIRED")
        }
  })

  it("is not who owns the account: the owner learns that it is not enrolled", async () => {
    await assertProblem(await signedFetch(service, newOwner(), "GET", ME), "ACCOUNT_NOT_FOUND")
  })
})
