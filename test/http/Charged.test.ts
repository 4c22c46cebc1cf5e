/** Whatever is refused before an account answers for it is charged to the client's address: every refusal, on every route. */
import { randomBytes } from "node:crypto"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { Api } from "../../src/http/api/Api.ts"
import { placesOf } from "../../src/http/Places.ts"
import { enroll } from "../support/Bots.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { openRaw, rawRequest, sendRaw } from "../support/HttpRaw.ts"
import { rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedInit } from "../support/SignedFetch.ts"
import { standingClock } from "./support/StandingClock.ts"

const allRoutes = placesOf(Api)

const service = await startService({
  settings: { quotas: { owner: 6, bots: 3, address: 1, rpc: 100 }, trustedProxies: ["127.0.0.1"] },
  clock: standingClock()
})

afterAll(() => service.stop())

beforeEach(() => stopClock(service.databaseUrl, Math.floor(Date.now() / 1000)))

type AnyRoute = (typeof allRoutes)[number]
type Headers = Readonly<Record<string, string>>

const OWNER = `0x${"11".repeat(20)}`
const JSON_TYPE = { "Content-Type": "application/json", "Content-Length": "2" }

let clients = 0
/** Nobody has asked from it before. */
const newAddress = () => {
  clients += 1
  return `10.1.${clients >> 8}.${clients & 255}`
}

/** As well-formed as can be, but for the signature. */
const forged = (): Headers => {
  const now = Math.floor(Date.now() / 1000)
  return {
    "X-Service-Account": `eip155:31337:${OWNER}`,
    "X-Service-Signer": OWNER,
    "X-Service-Issued-At": String(now),
    "X-Service-Expires-At": String(now + 60),
    "X-Service-Nonce": `0x${randomBytes(32).toString("hex")}`,
    "X-Service-Signature": `0x${"11".repeat(64)}1b`,
    "Idempotency-Key": "a"
  }
}

const placeOf = ({ at }: AnyRoute) =>
  at
    .replace(":step", "0")
    .replace(":chainId/:projectId", "31337/1")
    .replace(/:\w+/g, "01234567-89ab-4def-8123-456789abcdef")

interface Asked {
  readonly code: string
  readonly method?: string
  readonly target?: string
  readonly headers?: Headers
  readonly body?: string
}

const bodyOf = ({ takesBody }: AnyRoute) =>
  takesBody ? { headers: { ...forged(), ...JSON_TYPE }, body: "{}" } : {}

const ofAny = (route: AnyRoute): ReadonlyArray<Asked> => [
  { code: "ENDPOINT_NOT_FOUND", target: `${placeOf(route)}/no/such/place` },
  { code: "METHOD_NOT_ALLOWED", method: "PUT" },
  { code: "NONCANONICAL_REQUEST_TARGET", target: `/x/..${placeOf(route)}` },
  { code: "INVALID_REQUEST_TARGET", target: `${placeOf(route)}?a=%` },
  { code: "INVALID_REQUEST_TARGET", headers: { ...forged(), host: "service.test" } },
  { code: "INVALID_QUERY", target: `${placeOf(route)}?no-such-parameter=1`, ...bodyOf(route) },
  ...route.queryNames
    .slice(0, 1)
    .map(name => ({ code: "MISSING_PARAMETER", target: `${placeOf(route)}?${name}=`, ...bodyOf(route) }))
]

const ofBodies = ({ method, takesBody }: AnyRoute): ReadonlyArray<Asked> => {
  const sent = (headers: Headers, code: string): Asked => ({
    code,
    headers: { ...forged(), ...headers },
    body: "{}"
  })
  if (method === "GET") return [sent(JSON_TYPE, "GET_BODY_UNSUPPORTED")]
  if (!takesBody) return [sent(JSON_TYPE, "INVALID_INPUT")]
  return [
    sent({ ...JSON_TYPE, "Content-Type": "text/plain" }, "UNSUPPORTED_MEDIA_TYPE"),
    sent({ ...JSON_TYPE, "Content-Type": "application/json; charset=utf-16" }, "UNSUPPORTED_MEDIA_TYPE"),
    sent({ ...JSON_TYPE, "Content-Encoding": "gzip" }, "UNSUPPORTED_ENCODING"),
    sent({ ...JSON_TYPE, "Content-Length": "9000000" }, "BODY_TOO_LARGE")
  ]
}

const ofSignatures = ({ access, queryNames, ...route }: AnyRoute): ReadonlyArray<Asked> => {
  if (access.kind === "public") return []
  const { "Idempotency-Key": _, ...keyless } = forged()
  const full = { ...route, access, queryNames }
  const plain = bodyOf(full).headers ?? {}
  const altered = (code: string, change: Headers): Asked => ({
    ...bodyOf(full),
    code,
    headers: { ...forged(), ...plain, ...change }
  })
  return [
    { code: "AUTH_REQUIRED", headers: {} },
    altered("INVALID_AUTH", { "X-Service-Nonce": "0x00" }),
    altered("INVALID_AUTH", { "X-Service-Signature": "0x" }),
    altered("AUTH_EXPIRED", { "X-Service-Issued-At": "1000", "X-Service-Expires-At": "1060" }),
    ...(access.idempotency === "required" ? [{ code: "IDEMPOTENCY_REQUIRED", headers: keyless }] : [])
  ]
}

const ask = async (address: string, method: string, target: string, { headers, body }: Asked) => {
  const all = { "X-Forwarded-For": address, ...(headers ?? forged()) }
  return rawProblem(await sendRaw(service.url, rawRequest(method, target, all, body)))
}

/** With a budget of one, the same again is refused for that alone. */
const assertCharged = async (method: string, target: string, asked: Asked) => {
  const address = newAddress()
  const again = () => ask(address, asked.method ?? method, asked.target ?? target, asked)
  const where = `${asked.method ?? method} ${asked.target ?? target}`
  assert.strictEqual((await again()).code, asked.code, where)
  assert.strictEqual((await again()).code, "RATE_LIMITED", `${where} ${asked.code}`)
}

describe("what is refused before it is known whose it is", () => {
  for (const route of allRoutes)
    it(`is charged on ${route.name}`, async () => {
      for (const asked of [...ofAny(route), ...ofBodies(route), ...ofSignatures(route)])
        await assertCharged(route.method, placeOf(route), asked)
    })

  it("is charged for a signature that is not the signer's", async () => {
    await assertCharged("GET", "/api/v1/accounts/me", { code: "INVALID_SIGNATURE" })
  })

  it("is charged on pages and beside all routes", async () => {
    await assertCharged("GET", "/docs?a=1", { code: "INVALID_QUERY" })
    await assertCharged("POST", "/docs", { code: "METHOD_NOT_ALLOWED" })
    await assertCharged("GET", "/no/such/page", { code: "ENDPOINT_NOT_FOUND" })
    await assertCharged("GET", "*", { code: "INVALID_REQUEST_TARGET" })
    await assertCharged("OPTIONS", "/elsewhere", { code: "ENDPOINT_NOT_FOUND" })
  })

  it("is charged to the connection's own address where no request could be read", async () => {
    const refused = rawProblem(await sendRaw(service.url, "no request at all\r\n\r\n"))
    assert.strictEqual(refused.code, "INVALID_REQUEST_TARGET")
    const next = await sendRaw(service.url, rawRequest("GET", "/api/v1/accounts/me"))
    assert.strictEqual(rawProblem(next).code, "RATE_LIMITED")
  })
})

describe("a body that is waited for", () => {
  const ME = "/api/v1/accounts/me"

  /** Once the service knows of it, by its word that it waits. */
  const begun = async (address: string, headers: Headers) => {
    const connection = openRaw(service.url)
    const all = { ...headers, ...JSON_TYPE, Expect: "100-continue", "X-Forwarded-For": address }
    const waitedFor = new Promise(resolve => connection.socket.once("data", resolve))
    connection.write(rawRequest("PATCH", ME, all))
    await waitedFor
    return connection
  }

  it("is charged before it comes", async () => {
    const address = newAddress()
    const connection = await begun(address, forged())
    assert.strictEqual((await ask(address, "GET", ME, { code: "RATE_LIMITED" })).code, "RATE_LIMITED")
    connection.socket.destroy()
  })

  it("is given back to who signed it", async () => {
    const address = newAddress()
    const owner = newOwner()
    const from = { headers: { "X-Forwarded-For": newAddress() } }
    assert.strictEqual((await enroll(service, owner, from)).status, 200)
    for (let time = 0; time < 3; time++) {
      const { headers } = await signedInit(service, owner, "PATCH", ME, { rawBody: "{}" })
      const connection = await begun(address, headers)
      connection.write("{}")
      const [answer] = await connection.answers(1)
      assert.strictEqual(answer?.status, 200)
      connection.socket.destroy()
    }
  })
})
