import { afterAll, assert, describe, it } from "vitest"
import { enroll, newBot, newKey, proofBy } from "../support/Bots.ts"
import { rawRequest, sendRaw } from "../support/HttpRaw.ts"
import { assertProblem, problemIn, rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import {
  freshNonce,
  newOwner,
  type Party,
  type RequestOptions,
  signedFetch,
  signedInit
} from "../support/SignedFetch.ts"

const ME = "/api/v1/accounts/me"
const READ = "/api/v1/protocol/resolve?chainId=31337&contractId=a%2fb"

const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
const service = await startService({ settings: { quotas } })
const owner = newOwner()
await enroll(service, owner)
const key = newKey()
const bot = await newBot(service, owner, { key })
const second = await newBot(service, owner, { key })

afterAll(() => service.stop())

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Signs one request and sends another. */
const tampered = async (
  party: Party,
  method: string,
  target: string,
  options: RequestOptions,
  sent: Sent
) => {
  const init = await signedInit(service, party, method, target, options)
  const body = sent.body ?? ("body" in init ? init.body : undefined)
  return fetch(`${service.url}${sent.target ?? target}`, {
    method: sent.method ?? method,
    headers: { ...init.headers, ...sent.headers },
    ...(body === undefined ? {} : { body })
  })
}

const seconds = Math.floor(Date.now() / 1000)

describe("each of the twelve signed attributes is bound", () => {
  it("audience", async () => {
    const answer = await fetch(
      `${service.url}${ME}`,
      await signedInit({ audience: "https://other.example" }, owner, "GET", ME)
    )
    assert.strictEqual((await assertProblem(answer, "INVALID_SIGNATURE")).diagnosis?.likelyCause, undefined)
  })

  it("accountId", async () => {
    const other = newOwner()
    await enroll(service, other)
    const answer = await tampered(owner, "GET", ME, {}, { headers: { "X-Service-Account": other.accountId } })
    await assertProblem(answer, "INVALID_SIGNATURE")
  })

  it("signer", async () => {
    const answer = await tampered(bot, "GET", ME, {}, { headers: { "X-Service-Signer": owner.key.address } })
    await assertProblem(answer, "INVALID_SIGNATURE")
  })

  it("grantId, between two grants of one key and none", async () => {
    const answer = await tampered(bot, "GET", ME, {}, { headers: { "X-Service-Grant": second.grantId } })
    await assertProblem(answer, "INVALID_SIGNATURE")
    const dropped = await tampered(bot, "GET", ME, {}, { headers: { "X-Service-Grant": "" } })
    await assertProblem(dropped, "INVALID_SIGNATURE")
    const added = await tampered(owner, "GET", ME, {}, { headers: { "X-Service-Grant": bot.grantId } })
    await assertProblem(added, "INVALID_SIGNATURE")
  })

  it("method", async () => {
    await assertProblem(await tampered(owner, "PUT", ME, {}, { method: "GET" }), "INVALID_SIGNATURE")
  })

  it("requestTarget, to the case of an escape and the order of parameters", async () => {
    for (const target of [
      ME,
      `${READ}&projectId=1`,
      READ.replace("%2f", "%2F"),
      READ.replace("%2f", "/"),
      "/api/v1/protocol/resolve?contractId=a%2fb&chainId=31337"
    ])
      await assertProblem(await tampered(owner, "GET", READ, {}, { target }), "INVALID_SIGNATURE")
  })

  it("contentType", async () => {
    for (const type of ["application/json; charset=utf-8", "application/json;", "Application/json"])
      await assertProblem(
        await tampered(owner, "PATCH", ME, { body: {} }, { headers: { "Content-Type": type } }),
        "INVALID_SIGNATURE"
      )
    const unsigned = await tampered(owner, "GET", ME, {}, { headers: { "Content-Type": "text/plain" } })
    await assertProblem(unsigned, "INVALID_SIGNATURE")
    assert.strictEqual(
      (await signedFetch(service, owner, "GET", ME, { contentType: "text/plain" })).status,
      200
    )
  })

  it("bodyHash", async () => {
    const answer = await tampered(owner, "PATCH", ME, { body: { bio: "a" } }, { body: '{"bio": "a"}' })
    await assertProblem(answer, "INVALID_SIGNATURE")
  })

  it("issuedAt and expiresAt", async () => {
    const options = { issuedAt: seconds, expiresAt: seconds + 100 }
    for (const headers of [
      { "X-Service-Issued-At": String(seconds - 1) },
      { "X-Service-Expires-At": String(seconds + 101) }
    ])
      await assertProblem(await tampered(owner, "GET", ME, options, { headers }), "INVALID_SIGNATURE")
  })

  it("nonce", async () => {
    await assertProblem(
      await tampered(owner, "GET", ME, {}, { headers: { "X-Service-Nonce": freshNonce() } }),
      "INVALID_SIGNATURE"
    )
  })

  it("idempotencyKey", async () => {
    const options = { idempotencyKey: "key-1" }
    for (const key of ["key-2", "KEY-1", ""])
      await assertProblem(
        await tampered(owner, "GET", ME, options, { headers: { "Idempotency-Key": key } }),
        "INVALID_SIGNATURE"
      )
    assert.strictEqual((await signedFetch(service, owner, "GET", ME, options)).status, 200)
  })

  it("the chain of the domain", async () => {
    const answer = await tampered({ ...owner, chainId: 1 }, "GET", ME, {}, {})
    await assertProblem(answer, "INVALID_SIGNATURE")
  })
})

describe("what is no authority", () => {
  it("a bearer token, a cookie, a basic credential", async () => {
    for (const headers of [
      { Authorization: "Bearer token" },
      { Authorization: "Basic YTpi" },
      { Cookie: "session=1" },
      { "X-Api-Key": "k" }
    ]) {
      const problem = await assertProblem(await fetch(`${service.url}${ME}`, { headers }), "AUTH_REQUIRED")
      assert.strictEqual(Array.isArray(problem.context?.missing) && problem.context.missing.length, 6)
    }
  })

  it("an owner's headers with another key's signature", async () => {
    const key = Object.create(owner.key, { sign: { value: newKey().sign } })
    const impostor = { ...owner, key }
    await assertProblem(await signedFetch(service, impostor, "GET", ME), "INVALID_SIGNATURE")
  })

  it("a stranger's own good signature", async () => {
    const stranger = { ...newOwner(), accountId: owner.accountId }
    await assertProblem(await signedFetch(service, stranger, "GET", ME), "FORBIDDEN")
    await assertProblem(
      await signedFetch(service, { ...stranger, grantId: bot.grantId }, "GET", ME),
      "FORBIDDEN"
    )
  })

  it("the owner's key under a bot's grant", async () => {
    await assertProblem(
      await signedFetch(service, { ...owner, grantId: bot.grantId }, "GET", ME),
      "FORBIDDEN"
    )
  })

  it("a bot without its grant", async () => {
    const { grantId: _, ...ungranted } = bot
    await assertProblem(await signedFetch(service, ungranted, "GET", ME), "FORBIDDEN")
  })

  it("a bot's grant on another account", async () => {
    const other = newOwner()
    await enroll(service, other)
    await assertProblem(
      await signedFetch(service, { ...bot, accountId: other.accountId }, "GET", ME),
      "FORBIDDEN"
    )
  })

  it("a bot proof in place of a request signature", async () => {
    const nonce = freshNonce()
    const init = await signedInit(service, owner, "GET", ME, { nonce })
    const proof = await proofBy(owner.key, {
      audience: service.audience,
      chainId: owner.chainId,
      accountId: owner.accountId,
      botAddress: owner.key.address,
      scopes: ["read"],
      expiresAt: seconds + 60,
      label: "",
      ownerRequestNonce: nonce
    })
    await assertProblem(
      await fetch(`${service.url}${ME}`, { headers: { ...init.headers, "X-Service-Signature": proof } }),
      "INVALID_SIGNATURE"
    )
  })
})

describe("a nonce", () => {
  it("outlives every refusal before the signature is verified", async () => {
    const nonce = freshNonce()
    const init = await signedInit(service, owner, "GET", ME, { nonce })
    for (const target of [`${ME}?a=1`, "/api/v1/nothing", `${ME}/bots/x`])
      assert.isAtLeast((await fetch(`${service.url}${target}`, init)).status, 400)
    const dotted = await sendRaw(
      service.url,
      rawRequest("GET", "/api/v1/accounts/../accounts/me", init.headers)
    )
    assert.strictEqual(rawProblem(dotted).code, "NONCANONICAL_REQUEST_TARGET")
    await problemIn(
      await fetch(`${service.url}${ME}`, {
        headers: { ...init.headers, "X-Service-Signature": `0x${"11".repeat(65)}` }
      })
    )
    assert.strictEqual((await fetch(`${service.url}${ME}`, init)).status, 200)
    await assertProblem(await fetch(`${service.url}${ME}`, init), "NONCE_REUSED")
  })

  it("is spent by an operation that fails after it", async () => {
    const nonce = freshNonce()
    await assertProblem(
      await signedFetch(service, owner, "PATCH", ME, { nonce, body: { bio: 1 } }),
      "INVALID_INPUT"
    )
    await assertProblem(await signedFetch(service, owner, "GET", ME, { nonce }), "NONCE_REUSED")
  })
})
