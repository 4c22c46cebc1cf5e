import { verifyTypedData } from "viem"
import { assert, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { commitmentOf } from "../../src/client/Commitment.ts"
import { AlteredPlan, NetworkFailure, ServiceProblem, UnexpectedAnswer } from "../../src/client/Errors.ts"
import type { ClientOptions } from "../../src/client/Options.ts"
import { walletPayload } from "../../src/values/TypedData.ts"
import { domainOf } from "../../src/values/TypedDataHash.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { planRecord } from "./support/PlanRecords.ts"
import { json, problem, type Scripted, type Sent, scriptedFetch } from "./support/ScriptedFetch.ts"

const AUDIENCE = "http://service.test"
const NOW = 1_800_000_000_000

const key = newKey()
const account = accountOf(key.address)

const scripted = (script: ReadonlyArray<Scripted>, over: Partial<ClientOptions> = {}) => {
  const system = heldSystem(NOW)
  const { fetch, sent } = scriptedFetch(script)
  const client = createClient({
    baseUrl: AUDIENCE,
    audience: AUDIENCE,
    account,
    signer: key,
    system,
    fetch,
    ...over
  })
  return { client, sent, system }
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it resolved"),
    failure => failure
  )

const noncesOf = (sent: ReadonlyArray<Sent>) => sent.map(({ headers }) => headers.get("x-service-nonce"))

const input = { account: key.address, calls: [] }
const own = { accountId: account, principalId: `owner:${account}` }
const unsealed = planRecord()
const plan = { ...unsealed, commitment: await commitmentOf(unsealed, own) }

describe("repeating requests", () => {
  it("repeats a read with a new nonce and waits as long as it was told to", async () => {
    const { client, sent, system } = scripted([
      problem(429, "RATE_LIMITED", {}, { "retry-after": "7" }),
      new TypeError("socket closed"),
      json(200, { account: { id: account } })
    ])
    assert.strictEqual((await client.accounts.show()).id, account)
    assert.strictEqual(new Set(noncesOf(sent)).size, 3)
    assert.strictEqual(system.slept[0], 7_000)
    assert.isBelow(system.slept[1] ?? 0, 1_000)
  })

  it("repeats a plan's preparation with the same key and bytes and a valid new signature", async () => {
    const { client, sent } = scripted([problem(503, "DATABASE_UNAVAILABLE"), json(201, plan)])
    const created = await client.plans.create(input, { idempotencyKey: "order-7" })
    assert.deepInclude(created, { idempotencyKey: "order-7", replayed: false })
    const [first, second] = sent
    assert.strictEqual(first?.body, second?.body)
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers.get("idempotency-key")),
      ["order-7", "order-7"]
    )
    assert.notStrictEqual(
      first?.headers.get("x-service-signature"),
      second?.headers.get("x-service-signature")
    )
  })

  it("says when the stored plan was given again, and makes a key when none is given", async () => {
    const { client, sent } = scripted([json(201, plan, { "idempotent-replayed": "true" })])
    const created = await client.plans.create(input)
    assert.isTrue(created.replayed)
    assert.match(created.idempotencyKey, /^[0-9a-f]{32}$/)
    assert.strictEqual(sent[0]?.headers.get("idempotency-key"), created.idempotencyKey)
  })

  it("gives no stored plan that is not what it commits to", async () => {
    const { client } = scripted([json(201, { ...plan, calls: [{ ...plan.calls[0], value: "6" }] })])
    assert.instanceOf(await rejection(client.plans.create(input)), AlteredPlan)
  })

  it("tells the key that it made when the outcome is unknown", async () => {
    const page = new Response("<html>", { status: 500, headers: { "content-type": "text/html" } })
    const failures = [
      new TypeError("socket closed"),
      problem(500, "INTERNAL_ERROR", { retryable: false }),
      page
    ]
    for (const failure of failures) {
      const { client, sent } = scripted([failure], { retries: 0 })
      const raw = { rawSignedTransaction: "0x02" }
      const told = await rejection(client.plans.submit(plan.id, 0, raw))
      if (
        !(
          told instanceof NetworkFailure ||
          told instanceof ServiceProblem ||
          told instanceof UnexpectedAnswer
        )
      )
        assert.fail(String(told))
      assert.match(told.idempotencyKey ?? "", /^[0-9a-f]{32}$/)
      assert.strictEqual(told.idempotencyKey, sent[0]?.headers.get("idempotency-key"))
    }
  })

  it("does not repeat what could have a second effect", async () => {
    for (const failure of [new TypeError("socket closed"), problem(503, "DATABASE_UNAVAILABLE")]) {
      const { client, sent } = scripted([failure])
      await rejection(client.bots.grant({ bot: newKey(), expiresAt: NOW / 1000 + 60 }).then(() => undefined))
      assert.strictEqual(sent.length, 1)
    }
    const { client, sent } = scripted([new TypeError("socket closed")])
    const body = { body: "{}", idempotencyKey: "k" }
    assert.instanceOf(
      await rejection(client.request("POST", "/api/v1/accounts/enroll", body)),
      NetworkFailure
    )
    assert.strictEqual(sent.length, 1)
  })

  it("does not repeat what will be refused again", async () => {
    const { client, sent } = scripted([problem(404, "ACCOUNT_NOT_FOUND")])
    const refused = await rejection(client.accounts.show())
    assert.instanceOf(refused, ServiceProblem)
    assert.strictEqual(refused.code, "ACCOUNT_NOT_FOUND")
    assert.strictEqual(sent.length, 1)
  })

  it("gives up after its bound, and at once when told to wait for longer than a minute", async () => {
    const down = () => problem(503, "DATABASE_UNAVAILABLE")
    const bounded = scripted([down, down, down, down, down])
    assert.instanceOf(await rejection(bounded.client.accounts.show()), ServiceProblem)
    assert.strictEqual(bounded.sent.length, 4)
    const long = scripted([problem(429, "STORAGE_LIMIT", {}, { "retry-after": "3600" })])
    await rejection(long.client.accounts.show())
    assert.strictEqual(long.sent.length, 1)
  })

  it("tells a gateway's page from the service's answer", async () => {
    const page = () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } })
    const { client, sent } = scripted([page, json(200, { account: { id: account } })])
    await client.accounts.show()
    assert.strictEqual(sent.length, 2)
    const other = scripted([new Response("hello", { headers: { "content-type": "text/plain" } })])
    assert.instanceOf(await rejection(other.client.accounts.show()), UnexpectedAnswer)
  })

  it("keeps a refusal whose code a newer service made", async () => {
    const { client } = scripted([problem(409, "SOMETHING_NEW", { detail: "of a later version" })])
    const refused = await rejection(client.accounts.show())
    assert.instanceOf(refused, ServiceProblem)
    assert.strictEqual(refused.problem.detail, "of a later version")
  })

  it("calls a success that is no JSON an unexpected answer", async () => {
    const cut = new Response('{"account":', { headers: { "content-type": "application/json" } })
    assert.instanceOf(await rejection(scripted([cut]).client.accounts.show()), UnexpectedAnswer)
  })

  it("signs a method as fetch sends it", async () => {
    const { client, sent } = scripted([json(200, {})])
    await client.request("patch", "/api/v1/accounts/me", { body: "{}" })
    assert.strictEqual(sent[0]?.method, "PATCH")
  })

  it("leaves a wallet that takes its time, and sends nothing of what it signs later", async () => {
    const leaving = new AbortController()
    let sign = (_: string) => {}
    const signed = new Promise<string>(resolve => {
      sign = resolve
    })
    const { client, sent } = scripted([], {
      signer: { address: key.address, signTypedData: () => signed }
    })
    const body = { rawSignedTransaction: "0x02" }
    const submitted = client.plans.submit(plan.id, 0, body, { signal: leaving.signal })
    leaving.abort(new Error("left"))
    assert.strictEqual(String(await rejection(submitted)), "Error: left")
    sign(`0x${"11".repeat(64)}1b`)
    await new Promise(setImmediate)
    assert.strictEqual(sent.length, 0)
  })

  it("leaves a look-up of the audience that is not answered", async () => {
    const leaving = new AbortController()
    const { client } = scripted([], { audience: undefined, fetch: () => new Promise<Response>(() => {}) })
    const shown = client.plans.show(plan.id, { signal: leaving.signal })
    leaving.abort(new Error("left"))
    assert.strictEqual(String(await rejection(shown)), "Error: left")
  })

  it("stops waiting when its caller does", async () => {
    const leaving = new AbortController()
    const { client } = scripted([
      () => {
        leaving.abort(new Error("left"))
        return problem(503, "DATABASE_UNAVAILABLE")
      }
    ])
    const failure = await rejection(client.request("GET", "/api/v1/accounts/me", { signal: leaving.signal }))
    assert.strictEqual(String(failure), "Error: left")
  })
})

const SERVER_SECONDS = NOW / 1000 + 4_000

const expired = (diagnosed: boolean) => () =>
  problem(401, "AUTH_EXPIRED", diagnosed ? { diagnosis: { serverTime: SERVER_SECONDS } } : {})

describe("the learned clock", () => {
  it("signs once more on the server's time, with another nonce", async () => {
    const { client, sent, system } = scripted([expired(true), json(200, { account: { id: account } })])
    await client.accounts.enroll()
    assert.deepStrictEqual(
      sent.map(({ headers }) => Number(headers.get("x-service-issued-at"))),
      [NOW / 1000, SERVER_SECONDS]
    )
    assert.strictEqual(new Set(noncesOf(sent)).size, 2)
    assert.deepStrictEqual(system.slept, [])
  })

  it("signs once more only, and not at all when the clock was right", async () => {
    const twice = scripted([expired(true), expired(true), expired(true)])
    await rejection(twice.client.accounts.show())
    assert.strictEqual(twice.sent.length, 2)
    const right = scripted([() => problem(401, "AUTH_EXPIRED", { diagnosis: { serverTime: NOW / 1000 } })])
    await rejection(right.client.accounts.show())
    assert.strictEqual(right.sent.length, 1)
  })

  it("believes the service's own time more than a date that a proxy wrote", async () => {
    const date = new Date(NOW - 3_600_000).toUTCString()
    const refusal = () =>
      problem(401, "AUTH_EXPIRED", { diagnosis: { serverTime: SERVER_SECONDS } }, { date })
    const shown = () => json(200, { account: { id: account } }, { date })
    const { client, sent } = scripted([refusal, shown, shown])
    await client.accounts.show()
    await client.accounts.show()
    assert.deepStrictEqual(
      sent.map(({ headers }) => Number(headers.get("x-service-issued-at"))),
      [NOW / 1000, SERVER_SECONDS, SERVER_SECONDS]
    )
  })

  it("asks for the time with a read where a refused write shows none", async () => {
    const { client, sent } = scripted([
      expired(false),
      expired(true),
      json(200, { account: { id: account } })
    ])
    await client.accounts.enroll()
    assert.deepStrictEqual(
      sent.map(({ method }) => method),
      ["POST", "GET", "POST"]
    )
    assert.strictEqual(sent[2]?.headers.get("x-service-issued-at"), String(SERVER_SECONDS))
  })
})

describe("what is signed", () => {
  it("is exactly what is sent, in a window of a minute", async () => {
    const { client, sent } = scripted([json(200, {})])
    await client.contracts.read({
      chainId: 31_337,
      contractId: "core:src/It's.sol:It's",
      function: "f(uint256[],string)",
      args: [["1"], "a b'c&d=é"]
    })
    const [request] = sent
    const header = (name: string) => request?.headers.get(name) ?? ""
    const target = request?.url.slice(AUDIENCE.length) ?? ""
    assert.notMatch(target, /['"\s[\]]/)
    assert.strictEqual(Number(header("x-service-expires-at")) - Number(header("x-service-issued-at")), 60)
    const payload = walletPayload("ServiceRequest", domainOf(AUDIENCE, 31_337), {
      audience: AUDIENCE,
      accountId: account,
      signer: key.address,
      grantId: "",
      method: "GET",
      requestTarget: target,
      contentType: "",
      bodyHash: "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
      issuedAt: Number(header("x-service-issued-at")),
      expiresAt: Number(header("x-service-expires-at")),
      nonce: `0x${header("x-service-nonce").slice(2)}`,
      idempotencyKey: ""
    })
    const signature = `0x${header("x-service-signature").slice(2)}` as const
    assert.isTrue(await verifyTypedData({ ...payload, address: key.address, signature }))
  })
})
