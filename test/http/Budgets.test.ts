import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { enroll, newBot } from "../support/Bots.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { rawRequest, sendRaw } from "../support/HttpRaw.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, type Party, signedFetch, signedInit } from "../support/SignedFetch.ts"
import { standingClock } from "./support/StandingClock.ts"

const ME = "/api/v1/accounts/me"

const service = await startService({
  settings: { quotas: { owner: 6, bots: 3, address: 20, rpc: 100 }, trustedProxies: ["127.0.0.1"] },
  clock: standingClock()
})

afterAll(() => service.stop())

/** What is counted within a minute is counted within the same one. */
beforeEach(() => stopClock(service.databaseUrl, Math.floor(Date.now() / 1000)))

let clients = 0
/** Each test speaks from an address of its own. */
const newAddress = () => {
  clients += 1
  return `10.0.0.${clients}`
}

const from = (address: string) => ({ "X-Forwarded-For": address })

const codeOf = async (answer: Response) => (answer.ok ? "OK" : (await problemIn(answer)).code)

const enrolled = async (): Promise<Party> => {
  const owner = newOwner()
  assert.strictEqual((await enroll(service, owner)).status, 200)
  return owner
}

describe("an account's quotas", () => {
  it("leave the owner room to revoke when the bots have spent theirs", async () => {
    const owner = await enrolled()
    const bot = await newBot(service, owner)
    const seen: Array<string> = []
    for (let index = 0; index < 5; index++)
      seen.push(await codeOf(await signedFetch(service, bot, "GET", ME)))
    assert.deepStrictEqual(seen, ["OK", "OK", "OK", "RATE_LIMITED", "RATE_LIMITED"])
    const revoked = await signedFetch(service, owner, "DELETE", `${ME}/bots/${bot.grantId}`)
    assert.strictEqual(revoked.status, 200)
    assert.strictEqual(revoked.headers.get("ratelimit-limit"), "6")
    assert.strictEqual(revoked.headers.get("ratelimit-remaining"), "3")
  })

  it("leave that room to an owner at the bots' own address, however much they go on", async () => {
    const owner = await enrolled()
    const bot = await newBot(service, owner)
    const headers = from(newAddress())
    const asked = async (party: Party) => codeOf(await signedFetch(service, party, "GET", ME, { headers }))
    for (let index = 0; index < 3; index++) assert.strictEqual(await asked(bot), "OK")
    for (let index = 0; index < 20; index++) assert.strictEqual(await asked(bot), "RATE_LIMITED")
    const refused = await problemIn(await signedFetch(service, bot, "GET", ME, { headers }))
    assert.strictEqual(refused.context?.per, "client address")
    const unnamed = { headers: { ...headers, "X-Service-Grant": "" } }
    assert.strictEqual((await signedFetch(service, owner, "GET", ME, unnamed)).status, 200)
    const revoked = await signedFetch(service, owner, "DELETE", `${ME}/bots/${bot.grantId}`, { headers })
    assert.strictEqual(revoked.status, 200)
    assert.strictEqual(await asked(owner), "OK")
  })

  it("are told on every authenticated answer, in both forms", async () => {
    const owner = await enrolled()
    const bot = await newBot(service, owner)
    const good = await signedFetch(service, bot, "GET", ME)
    assert.strictEqual(good.headers.get("ratelimit-limit"), "3")
    assert.strictEqual(good.headers.get("ratelimit-remaining"), "2")
    assert.match(good.headers.get("ratelimit") ?? "", /^"bots";r=2;t=([1-9]|[1-5][0-9]|60)$/)
    assert.strictEqual(good.headers.get("ratelimit-policy"), '"bots";q=3;w=60')
    const failed = await signedFetch(service, owner, "PATCH", ME, { body: { bio: 1 } })
    assert.strictEqual(failed.headers.get("ratelimit-remaining"), "3")
    for (let index = 0; index < 3; index++) await signedFetch(service, owner, "GET", ME)
    const spent = await signedFetch(service, owner, "GET", ME)
    assert.strictEqual(spent.headers.get("ratelimit-remaining"), "0")
    const retryAfter = Number(spent.headers.get("retry-after"))
    assert.isTrue(retryAfter >= 1 && retryAfter <= 60)
    await assertProblem(spent, "RATE_LIMITED")
    assert.strictEqual((await fetch(`${service.url}/api/v1`)).headers.get("ratelimit-limit"), null)
  })
})

describe("an address's budget", () => {
  const spend = async (address: string, times: number) => {
    const seen: Array<string> = []
    for (let index = 0; index < times; index++)
      seen.push(await codeOf(await fetch(`${service.url}${ME}`, { headers: from(address) })))
    return seen
  }

  it("is spent by failing, to the last one, and then refuses before any work", async () => {
    const address = newAddress()
    const seen = await spend(address, 22)
    assert.deepStrictEqual(seen.filter(code => code === "AUTH_REQUIRED").length, 20)
    assert.deepStrictEqual(seen.slice(20), ["RATE_LIMITED", "RATE_LIMITED"])
    const owner = await enrolled()
    await assertProblem(
      await signedFetch(service, owner, "GET", ME, { headers: from(address) }),
      "RATE_LIMITED"
    )
    assert.strictEqual(
      (await signedFetch(service, owner, "GET", ME, { headers: from(newAddress()) })).status,
      200
    )
    assert.strictEqual((await fetch(`${service.url}/api/v1`, { headers: from(address) })).status, 200)
  })

  it("is charged for what no account answers for", async () => {
    const owner = await enrolled()
    const kinds: ReadonlyArray<readonly [string, Party]> = [
      ["FORBIDDEN", { ...newOwner(), accountId: owner.accountId }],
      ["ACCOUNT_NOT_FOUND", newOwner()],
      ["INVALID_SIGNATURE", { ...owner, chainId: 1 }]
    ]
    for (const [code, party] of kinds) {
      const headers = from(newAddress())
      for (let index = 0; index < 20; index++)
        assert.strictEqual(await codeOf(await signedFetch(service, party, "GET", ME, { headers })), code)
      assert.strictEqual(
        await codeOf(await signedFetch(service, party, "GET", ME, { headers })),
        "RATE_LIMITED"
      )
    }
  })

  it("is charged for bodies that are too long, which nobody need have signed", async () => {
    const owner = await enrolled()
    const headers = from(newAddress())
    const sending = () =>
      signedFetch(service, owner, "PATCH", ME, { rawBody: " ".repeat(65_537), headers }).then(codeOf)
    for (let index = 0; index < 20; index++) assert.strictEqual(await sending(), "BODY_TOO_LARGE")
    assert.strictEqual(await sending(), "RATE_LIMITED")
  })

  it("is charged for what an account sends beyond its quota", async () => {
    const owner = await enrolled()
    const headers = from(newAddress())
    const { url } = service
    const init = await signedInit(service, owner, "GET", ME, { headers })
    const again = async () => problemIn(await fetch(`${url}${ME}`, init))
    assert.strictEqual((await fetch(`${url}${ME}`, init)).status, 200)
    for (let index = 0; index < 4; index++) await signedFetch(service, owner, "GET", ME, { headers })
    const beyond = await signedInit(service, owner, "GET", ME, { headers })
    for (let index = 0; index < 20; index++)
      assert.strictEqual((await problemIn(await fetch(`${url}${ME}`, beyond))).context?.limit, 6)
    assert.strictEqual((await again()).context?.per, "client address")
  })

  it("is charged for what was heard and is said again, and the account is not", async () => {
    const owner = await enrolled()
    const headers = from(newAddress())
    const heard = await signedInit(service, owner, "GET", ME)
    const again = async () => {
      const init = { ...heard, headers: { ...heard.headers, ...headers } }
      return codeOf(await fetch(`${service.url}${ME}`, init))
    }
    assert.strictEqual(await again(), "OK")
    for (let index = 0; index < 20; index++) assert.strictEqual(await again(), "NONCE_REUSED")
    assert.strictEqual(await again(), "RATE_LIMITED")
    const answer = await signedFetch(service, owner, "GET", ME)
    assert.strictEqual(answer.headers.get("ratelimit-remaining"), "3")
  })

  it("is not charged for what an account answers for, nor for discovery, and the reverse", async () => {
    const address = newAddress()
    const discovered = await Promise.all(
      Array.from({ length: 25 }, () =>
        fetch(`${service.url}/api/v1/capabilities`, { headers: from(address) }).then(codeOf)
      )
    )
    assert.strictEqual(discovered.filter(code => code === "OK").length, 20)
    assert.strictEqual(discovered.filter(code => code === "RATE_LIMITED").length, 5)
    for (let round = 0; round < 5; round++) {
      const owner = await enrolled()
      for (let index = 0; index < 5; index++)
        assert.strictEqual(
          await codeOf(await signedFetch(service, owner, "GET", ME, { headers: from(address) })),
          "OK"
        )
    }
  })

  it("bounds the accounts that one client enrols", async () => {
    const headers = from(newAddress())
    const enrolling = (owner: Party) =>
      signedFetch(service, owner, "POST", "/api/v1/accounts/enroll", { body: {}, headers }).then(codeOf)
    for (let index = 0; index < 20; index++) assert.strictEqual(await enrolling(newOwner()), "OK")
    const late = newOwner()
    assert.strictEqual(await enrolling(late), "RATE_LIMITED")
    assert.strictEqual(await codeOf(await signedFetch(service, late, "GET", ME)), "ACCOUNT_NOT_FOUND")
  })

  it("is charged for a malformed query of discovery", async () => {
    const headers = from(newAddress())
    for (let index = 0; index < 20; index++)
      assert.strictEqual(await codeOf(await fetch(`${service.url}/api/v1?a=1`, { headers })), "INVALID_QUERY")
    assert.strictEqual(await codeOf(await fetch(`${service.url}/api/v1?a=1`, { headers })), "RATE_LIMITED")
  })

  it("is told by the proxy that is trusted, not by what the client wrote before it", async () => {
    const real = newAddress()
    const spoofed = async (forwarded: string) => {
      const answer = await sendRaw(service.url, rawRequest("GET", ME, { "X-Forwarded-For": forwarded }))
      return JSON.parse(answer?.body ?? "{}").code
    }
    for (let index = 0; index < 20; index++)
      assert.strictEqual(await spoofed(`192.0.2.${index}, ${real}`), "AUTH_REQUIRED")
    assert.strictEqual(await spoofed(`192.0.2.99, ${real}`), "RATE_LIMITED")
    assert.strictEqual(await spoofed(`192.0.2.99, ::ffff:${real}`), "RATE_LIMITED")
    assert.strictEqual(await spoofed(`192.0.2.99\r\nX-Forwarded-For: ${real}`), "RATE_LIMITED")
    assert.strictEqual(await spoofed(`192.0.2.99, ${real}, 127.0.0.1`), "RATE_LIMITED")
  })

  it("cannot be evaded by an address that is none", async () => {
    const codes: Array<string> = []
    for (let index = 0; index < 21; index++) {
      const answer = await sendRaw(
        service.url,
        rawRequest("GET", ME, { "X-Forwarded-For": `192.0.2.${index}, unknown:${index}` })
      )
      codes.push(JSON.parse(answer?.body ?? "{}").code)
    }
    assert.strictEqual(codes[20], "RATE_LIMITED")
  })
})

describe("the diagnosis of a refused signature", () => {
  const refusedAs = async (
    options: Parameters<typeof signedInit>[4],
    change: RequestInit = {},
    party?: Party
  ) => {
    const owner = party ?? newOwner()
    const init = await signedInit(service, owner, "GET", ME, options)
    const answer = await fetch(`${service.url}${ME}`, {
      ...init,
      ...change,
      headers: { ...init.headers, ...from(newAddress()), ...Object(change.headers) }
    })
    return { owner, problem: await problemIn(answer) }
  }

  it("shows the twelve fields, the domain, the digest, who signed and the time, and nothing else", async () => {
    const { owner, problem } = await refusedAs({}, { headers: { "X-Service-Nonce": `0x${"11".repeat(32)}` } })
    assert.strictEqual(problem.code, "INVALID_SIGNATURE")
    const diagnosis = problem.diagnosis ?? {}
    assert.includeMembers(
      ["signed", "domain", "digest", "recovered", "serverTime", "likelyCause"],
      Object.keys(diagnosis)
    )
    const signed = Object(diagnosis.signed)
    assert.deepStrictEqual(Object.keys(signed).sort(), [
      "accountId",
      "audience",
      "bodyHash",
      "contentType",
      "expiresAt",
      "grantId",
      "idempotencyKey",
      "issuedAt",
      "method",
      "nonce",
      "requestTarget",
      "signer"
    ])
    assert.strictEqual(signed.accountId, owner.accountId)
    assert.match(String(diagnosis.digest), /^0x[0-9a-f]{64}$/)
    assert.match(String(diagnosis.recovered), /^0x[0-9a-fA-F]{40}$/)
    assert.notInclude(JSON.stringify(problem), `0x${"11".repeat(65)}`)
  })

  it("is not given where the body was never read, nor on other refusals", async () => {
    const expired = await refusedAs({ issuedAt: 1000, expiresAt: 1060 })
    assert.strictEqual(expired.problem.code, "AUTH_EXPIRED")
    assert.deepInclude(expired.problem.diagnosis, { likelyCause: "clock" })
    const missing = await problemIn(await fetch(`${service.url}${ME}`, { headers: from(newAddress()) }))
    assert.isUndefined(missing.diagnosis)
    const unread = await signedFetch(service, newOwner(), "PATCH", ME, {
      body: {},
      issuedAt: 1000,
      expiresAt: 1060,
      headers: from(newAddress())
    })
    assert.isUndefined((await assertProblem(unread, "AUTH_EXPIRED")).diagnosis)
  })
})
