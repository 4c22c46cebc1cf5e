import { Redacted } from "effect"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import type { SettingsShape } from "../../src/settings/Settings.ts"
import { assertResponse } from "../support/OpenApiResponses.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { newOwner, type Party, type RequestOptions, signedFetch, signedInit } from "../support/SignedFetch.ts"
import { type Listener, listener } from "./support/Listener.ts"

/** Planted wherever something secret or private passes through the service. */
const canaries = {
  metricsToken: "canary-metrics-token",
  reviewSecret: "canary-review-secret-of-thirty-two-bytes",
  otlpPassword: "canary-otlp-password",
  indexerUrl: "canary-indexer-url",
  indexerHeader: "canary-indexer-header",
  rpcPath: "canary-rpc-path",
  rpcMessage: "canary-rpc-message",
  displayName: "canary display name",
  bio: "canary biography",
  botLabel: "canary label",
  value: "canary-of-an-unknown-member",
  undecodable: "c0ffee".repeat(40),
  walletSignature: "decade".repeat(30),
  proof: "facade".repeat(21).padEnd(130, "0")
} as const

const PLAN = "/api/v1/plans/8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42/steps/0/submissions"
const SAMPLED_OF_256 = 13
const UNLIMITED = 1_000_000
/** About two hundred requests, and by chance several times as many. */
const EXERCISED_WITHIN_MILLIS = 600_000
const CALLER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }

const logged: Array<string> = []
const problems: Array<string> = []
const secrets: Array<string> = [...Object.values(canaries)]
let otlp: Listener
let node: Listener
let metrics = ""

type Kind = readonly [method: string, target: string, options: RequestOptions, status: number]

/** Wakes up every kind of refusal and failure that could quote what it was given. */
const kinds = (owner: Party, rawSignedTransaction: string): ReadonlyArray<Kind> => {
  const bot = {
    botAddress: owner.key.address,
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
    label: canaries.botLabel,
    proofSignature: `0x${canaries.proof}`
  }
  const me = "/api/v1/accounts/me"
  return [
    ["PATCH", me, { body: { displayName: canaries.displayName, bio: "" } }, 200],
    ["PATCH", me, { body: { displayName: canaries.displayName, bio: canaries.bio } }, 500],
    ["PATCH", me, { body: { bio: canaries.bio, more: canaries.value } }, 400],
    ["PATCH", me, { rawBody: `{"bio":"${canaries.bio}"` }, 400],
    ["POST", PLAN, { body: { rawSignedTransaction }, idempotencyKey: "k" }, 404],
    ["POST", PLAN, { body: { rawSignedTransaction: `0x${canaries.undecodable}` }, idempotencyKey: "k" }, 400],
    ["POST", `${me}/bots`, { body: bot }, 400],
    ["GET", me, { headers: { "X-Service-Signature": `0x${canaries.walletSignature}` } }, 401],
    ["GET", me, { issuedAt: 1 }, 401]
  ]
}

const isSampled = (response: Response) =>
  Number.parseInt((response.headers.get("x-request-id") ?? "ff").slice(0, 2), 16) < SAMPLED_OF_256

const traceparent = { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` }

/** Until one of them was traced. */
const exercise = async (service: RunningService, owner: Party, [method, target, options, status]: Kind) => {
  for (;;) {
    const headers = { ...options.headers, ...traceparent }
    const init = await signedInit(service, owner, method, target, { ...options, headers })
    secrets.push((init.headers["X-Service-Signature"] ?? "").slice(2))
    const response = await assertResponse(await fetch(`${service.url}${target}`, init), method, target)
    const body = await response.text()
    assert.strictEqual(response.status, status, body)
    if (status >= 400) problems.push(body)
    if (isSampled(response)) return
  }
}

const administer = async (connectionString: string, sql: string) => {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query(sql)
  await client.end()
}

const secretSettings = (): Partial<SettingsShape> => ({
  log: { level: "debug", format: "json" },
  metricsToken: Redacted.make(canaries.metricsToken),
  reviewSecret: Redacted.make(canaries.reviewSecret),
  otlpEndpoint: Redacted.make(`http://canary:${canaries.otlpPassword}@127.0.0.1:${otlp.port}`),
  indexer: {
    mainnetUrl: Redacted.make(`https://indexer.example/${canaries.indexerUrl}`),
    testnetUrl: undefined,
    headers: Redacted.make({ authorization: canaries.indexerHeader })
  },
  chains: [
    {
      chainId: 31337,
      urls: [Redacted.make(`http://127.0.0.1:${node.port}/${canaries.rpcPath}`)],
      confirmations: 1
    }
  ],
  quotas: { owner: UNLIMITED, bots: UNLIMITED, address: UNLIMITED, rpc: UNLIMITED }
})

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockImplementation((text, ...rest) => {
    logged.push(String(text))
    for (const done of rest) if (typeof done === "function") done()
    return true
  })
  otlp = await listener(200, "{}")
  node = await listener(500, JSON.stringify({ error: canaries.rpcMessage }))
  const service = await startService({ settings: secretSettings() })
  secrets.push(new URL(service.databaseUrl).password)
  await administer(service.databaseUrl, "ALTER TABLE accounts ADD CHECK (bio = '')")
  const owner = newOwner()
  await signedFetch(service, owner, "POST", "/api/v1/accounts/enroll", { body: {}, headers: traceparent })
  const raw = await owner.key.signTransaction({
    type: "eip1559",
    chainId: 31337,
    to: owner.key.address,
    nonce: 0,
    gas: 21_000n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n
  })
  secrets.push(raw.slice(2))
  for (const kind of kinds(owner, raw)) await exercise(service, owner, kind)
  const authorization = `Bearer ${canaries.metricsToken}`
  metrics = await (await fetch(`${service.opsUrl}/metrics`, { headers: { authorization } })).text()
  secrets.push(owner.key.address.toLowerCase().slice(2))
  await service.stop()
}, EXERCISED_WITHIN_MILLIS)

afterAll(async () => {
  vi.restoreAllMocks()
  await otlp.stop()
  await node.stop()
})

const quotes = (texts: ReadonlyArray<string>, but: ReadonlyArray<string> = []) => {
  const text = texts.join("\n").toLowerCase()
  return secrets.filter(secret => !but.includes(secret) && text.includes(secret.toLowerCase()))
}

describe("secrets and private texts", () => {
  it("are in no log line, however much is logged", () => {
    const lines = logged.join("").trimEnd().split("\n")
    const events = lines.map(line => JSON.parse(line).event)
    assert.includeMembers(events, ["request", "a request failed unforeseen"])
    assert.deepStrictEqual(quotes(logged), [])
  })

  it("are in no metric", () => {
    assert.match(
      metrics,
      /service_requests_total\{route="replaceProfile",status="500",code="INTERNAL_ERROR"\}/
    )
    assert.match(metrics, /service_rpc_calls_total/)
    assert.deepStrictEqual(quotes([metrics]), [])
  })

  it("are in no span", () => {
    assert.isAbove(spans().length, 20)
    assert.deepStrictEqual(quotes(otlp.bodies), [])
  })

  it("are in no problem; what a diagnosis tells the caller of itself is public", () => {
    const owner = secrets.at(-1) ?? ""
    assert.deepStrictEqual(quotes(problems, [owner]), [])
  })
})

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<{
    readonly key: string
    readonly value: { readonly stringValue?: string }
  }>
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
}

const spans = (): ReadonlyArray<Span> =>
  otlp.bodies.flatMap(body => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)

const attribute = (span: Span | undefined, name: string) =>
  span?.attributes.find(({ key }) => key === name)?.value.stringValue

describe("traces", () => {
  it("bear the request's id, link the caller's and name the stages", () => {
    const roots = spans().filter(span => attribute(span, "request.id") !== undefined)
    for (const root of roots) {
      assert.strictEqual(root.traceId, attribute(root, "request.id")?.replaceAll("-", ""))
      assert.deepInclude(root.links[0], CALLER)
      assert.isUndefined(root.parentSpanId)
    }
    const profile = roots.find(root => root.name === "PATCH /api/v1/accounts/me")
    const stages = spans().filter(({ traceId }) => traceId === profile?.traceId)
    assert.includeMembers(
      stages.map(({ name }) => name),
      ["PATCH /api/v1/accounts/me", "verify", "nonce", "lock wait"]
    )
    assert.match(attribute(profile, "account.hash") ?? "", /^[0-9a-f]{16}$/)
    const submission = roots.findLast(
      root => root.name.startsWith("POST ") && root.name.endsWith("/submissions")
    )
    assert.strictEqual(attribute(submission, "plan.id"), "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42")
    assert.strictEqual(attribute(submission, "plan.step"), "0")
    assert.strictEqual(attribute(submission, "http.request.method"), "POST")
    assert.match(
      attribute(submission, "http.route") ?? "",
      /^\/api\/v1\/plans\/:\w+\/steps\/:\w+\/submissions$/
    )
    assert.strictEqual(attribute(submission, "error.type"), "INVALID_SIGNED_TRANSACTION")
  })

  it("go to the endpoint with its credentials in the header alone", () => {
    const credentials = Buffer.from(`canary:${canaries.otlpPassword}`).toString("base64")
    assert.deepStrictEqual(otlp.requests[0], { path: "/v1/traces", authorization: `Basic ${credentials}` })
  })
})
