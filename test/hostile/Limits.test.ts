/** S13: the documented limits of requests, one below, at, and one above. */
import { afterAll, assert, describe, it } from "vitest"
import { enroll, requestRegistration } from "../support/Bots.ts"
import { rawRequest, sendRaw } from "../support/HttpRaw.ts"
import { problemIn, rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { freshNonce, newOwner, type RequestOptions, signedFetch, signedInit } from "../support/SignedFetch.ts"

const ME = "/api/v1/accounts/me"
const PLANS = "/api/v1/plans"
const MIB = 1_048_576

const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
const service = await startService({ settings: { quotas } })
const owner = newOwner()
await enroll(service, owner)

afterAll(() => service.stop())

const verdict = async (answer: Response): Promise<string> =>
  answer.ok ? "OK" : (await problemIn(answer)).code
const patched = async (options: RequestOptions) =>
  verdict(await signedFetch(service, owner, "PATCH", ME, options))
const got = async (target: string) => verdict(await fetch(`${service.url}${target}`))
const listed = async (query: string) => verdict(await signedFetch(service, owner, "GET", `${PLANS}?${query}`))

const created = async (options: RequestOptions) =>
  verdict(await signedFetch(service, owner, "POST", PLANS, { idempotencyKey: freshNonce(), ...options }))

const withSignature = async (signature: string) => {
  const init = await signedInit(service, owner, "GET", ME)
  return verdict(
    await fetch(`${service.url}${ME}`, { headers: { ...init.headers, "X-Service-Signature": signature } })
  )
}

const registered = async (label: string) => verdict(await requestRegistration(service, owner, { label }))

const nested = (depth: number) => `{"operation":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`
const nodes = (count: number) => `{"operation":[${Array.from({ length: count - 2 }, () => 0).join(",")}]}`
const padded = (bytes: number) => `{}${" ".repeat(bytes - 2)}`

/** A request whose head, with its two line ends, is that long. */
const headOf = async (bytes: number) => {
  const base = rawRequest("GET", "/api/v1", { "X-Filler": "" })
  const answer = await sendRaw(
    service.url,
    rawRequest("GET", "/api/v1", { "X-Filler": "a".repeat(bytes - base.length) })
  )
  return answer?.status === 200 ? "OK" : rawProblem(answer).code
}

interface Limit {
  readonly name: string
  readonly at: number
  readonly ask: (size: number) => Promise<string>
  readonly within: string
  readonly beyond: string
}

const limits: ReadonlyArray<Limit> = [
  {
    name: "signature bytes",
    at: 8192,
    ask: size => withSignature(`0x${"ab".repeat(size)}`),
    within: "INVALID_SIGNATURE",
    beyond: "INVALID_AUTH"
  },
  {
    name: "idempotency key",
    at: 128,
    ask: size => patched({ body: {}, idempotencyKey: "k".repeat(size) }),
    within: "OK",
    beyond: "INVALID_AUTH"
  },
  {
    name: "display name",
    at: 120,
    ask: size => patched({ body: { displayName: "a".repeat(size) } }),
    within: "OK",
    beyond: "INVALID_INPUT"
  },
  {
    name: "display name in four-byte letters",
    at: 30,
    ask: size => patched({ body: { displayName: "\u{1f600}".repeat(size) } }),
    within: "OK",
    beyond: "INVALID_INPUT"
  },
  {
    name: "biography",
    at: 2000,
    ask: size => patched({ body: { bio: "a".repeat(size) } }),
    within: "OK",
    beyond: "INVALID_INPUT"
  },
  {
    name: "avatar",
    at: 2048,
    ask: size => patched({ body: { avatarUri: `ipfs://${"a".repeat(size - 7)}` } }),
    within: "OK",
    beyond: "INVALID_INPUT"
  },
  {
    name: "bot label",
    at: 120,
    ask: size => registered("a".repeat(size)),
    within: "OK",
    beyond: "INVALID_INPUT"
  },
  {
    name: "account body",
    at: 65_536,
    ask: size => patched({ rawBody: padded(size) }),
    within: "OK",
    beyond: "BODY_TOO_LARGE"
  },
  {
    name: "plan body",
    at: MIB,
    ask: size => created({ rawBody: padded(size) }),
    within: "INVALID_INPUT",
    beyond: "BODY_TOO_LARGE"
  },
  {
    name: "depth of JSON",
    at: 32,
    ask: size => created({ rawBody: nested(size) }),
    within: "INVALID_INPUT",
    beyond: "JSON_TOO_COMPLEX"
  },
  {
    name: "nodes of JSON",
    at: 30_000,
    ask: size => created({ rawBody: nodes(size) }),
    within: "INVALID_INPUT",
    beyond: "JSON_TOO_COMPLEX"
  },
  {
    name: "integers of JSON",
    at: Number.MAX_SAFE_INTEGER - 1,
    ask: size => created({ rawBody: `{"operation":${BigInt(size) + 1n}}` }),
    within: "INVALID_INPUT",
    beyond: "UNSAFE_JSON_NUMBER"
  },
  {
    name: "target",
    at: 4096,
    ask: size => got(`/api/v1/catalog/contract?id=${"a".repeat(size - 28)}`),
    within: "CONTRACT_NOT_FOUND",
    beyond: "INVALID_REQUEST_TARGET"
  },
  {
    name: "catalog page",
    at: 100,
    ask: size => got(`/api/v1/catalog/contracts?limit=${size}`),
    within: "OK",
    beyond: "INVALID_PARAMETER"
  },
  {
    name: "catalog offset",
    at: 100_000,
    ask: size => got(`/api/v1/catalog/contracts?offset=${size}`),
    within: "OK",
    beyond: "INVALID_PARAMETER"
  },
  {
    name: "plan page",
    at: 100,
    ask: size => listed(`limit=${size}`),
    within: "OK",
    beyond: "INVALID_PARAMETER"
  },
  {
    name: "window",
    at: 300,
    ask: async size => {
      const issuedAt = Math.floor(Date.now() / 1000)
      return patched({ body: {}, issuedAt, expiresAt: issuedAt + size })
    },
    within: "OK",
    beyond: "AUTH_EXPIRED"
  },
  {
    name: "chain of an account, in digits",
    at: 16,
    ask: async size => verdict(await enroll(service, newOwner(Number("1".repeat(size))))),
    within: "OK",
    beyond: "INVALID_AUTH"
  }
]

describe("a limit is exact:", () => {
  it.each(limits.map(limit => [limit.name, limit] as const))("%s", async (_, { at, ask, within, beyond }) => {
    assert.deepStrictEqual([await ask(at - 1), await ask(at), await ask(at + 1)], [within, within, beyond])
  })

  const least: ReadonlyArray<readonly [string, (size: number) => Promise<string>, string]> = [
    ["catalog page", size => got(`/api/v1/catalog/contracts?limit=${size}`), "INVALID_PARAMETER"],
    ["plan page", size => listed(`limit=${size}`), "INVALID_PARAMETER"],
    ["signature bytes", size => withSignature(`0x${"ab".repeat(size)}`), "INVALID_AUTH"]
  ]
  it.each(least)("a %s is at least one", async (_, ask, below) => {
    assert.strictEqual(await ask(0), below)
    assert.notStrictEqual(await ask(1), below)
  })

  it("head of a request, 32 KiB", async () => {
    const whole = 32 * 1024
    assert.strictEqual(await headOf(whole - 100), "OK")
    assert.strictEqual(await headOf(whole + 100), "INVALID_REQUEST_TARGET")
  })
})
