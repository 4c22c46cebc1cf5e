import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterAll, assert, describe, it } from "vitest"
import { openRaw, parseAnswers, rawRequest, sendRaw } from "../support/HttpRaw.ts"
import { assertProblem, problemIn, rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"

const PINNED = "/api/v1/catalog/contracts?limit=5"

const service = await startService({
  settings: { quotas: { owner: 300, bots: 300, address: 1e6, rpc: 1e6 } }
})

afterAll(() => service.stop())

const at = (target: string, init: RequestInit = {}) => fetch(`${service.url}${target}`, init)

/** Without fetch's own Accept-Encoding and decompression. */
const raw = (target: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  sendRaw(service.url, rawRequest(method, target, headers), method === "HEAD")

const bytesOf = async (target: string, headers: Readonly<Record<string, string>>) => {
  const connection = openRaw(service.url)
  const chunks: Array<Buffer> = []
  connection.socket.on("data", chunk => chunks.push(chunk))
  connection.write(rawRequest("GET", target, headers))
  await connection.answers(1)
  connection.socket.destroy()
  const whole = Buffer.concat(chunks)
  assert.strictEqual(parseAnswers(whole).length, 1)
  return whole.subarray(whole.indexOf("\r\n\r\n") + 4)
}

describe("every answer", () => {
  it("carries a request id of its own, the date and no sniffing", async () => {
    const seen = new Set<string | null>()
    for (const target of [
      "/api/v1",
      "/api/v1/capabilities",
      PINNED,
      PINNED,
      "/api/v1/nothing",
      "/api/v1/accounts/me"
    ]) {
      const answer = await at(target)
      await answer.arrayBuffer()
      seen.add(answer.headers.get("x-request-id"))
      assert.isNotNull(answer.headers.get("date"))
      assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(answer.headers.get("server"), null)
      assert.strictEqual(answer.headers.get("x-powered-by"), null)
    }
    assert.strictEqual(seen.size, 6)
    assert.isFalse(seen.has(null))
  })

  it("is not cached unless it is pinned", async () => {
    assert.strictEqual((await at("/api/v1/capabilities")).headers.get("cache-control"), "no-store")
    assert.strictEqual((await at("/api/v1")).headers.get("etag"), null)
    const pinned = await at(PINNED)
    assert.strictEqual(pinned.headers.get("cache-control"), "public, max-age=60, must-revalidate")
    assert.match(pinned.headers.get("etag") ?? "", /^"[\w-]+"$/)
    assert.match(pinned.headers.get("vary") ?? "", /accept-encoding/i)
    await problemIn(await at("/api/v1/catalog/contract?id=none"))
  })

  it("shares nothing of what a client says for its request id", async () => {
    const answer = await at("/api/v1", {
      headers: { "X-Request-Id": "00000000-0000-4000-8000-000000000000" }
    })
    assert.notStrictEqual(answer.headers.get("x-request-id"), "00000000-0000-4000-8000-000000000000")
  })
})

describe("cross-origin", () => {
  it("lets any origin read, without credentials", async () => {
    for (const target of ["/api/v1", "/api/v1/accounts/me", "/api/v1/nothing", PINNED]) {
      const { headers } = await at(target, { headers: { Origin: "https://app.example" } })
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
      assert.strictEqual(headers.get("access-control-allow-credentials"), null)
      const exposed = headers.get("access-control-expose-headers")?.split(", ") ?? []
      assert.includeMembers(exposed, [
        "X-Request-Id",
        "Retry-After",
        "RateLimit-Limit",
        "RateLimit-Remaining",
        "Location",
        "Idempotent-Replayed"
      ])
    }
  })

  it("answers a preflight with the headers that signing needs and no body", async () => {
    const answer = await raw(
      "/api/v1/accounts/me",
      { Origin: "https://app.example", "Access-Control-Request-Method": "PATCH" },
      "OPTIONS"
    )
    assert.strictEqual(answer?.status, 204)
    assert.isFalse(answer?.headers.has("content-length"))
    const allowed = answer?.headers.get("access-control-allow-headers")?.split(", ") ?? []
    assert.includeMembers(allowed, [
      "X-Service-Account",
      "X-Service-Signer",
      "X-Service-Grant",
      "X-Service-Issued-At",
      "X-Service-Expires-At",
      "X-Service-Nonce",
      "X-Service-Signature",
      "Idempotency-Key",
      "Content-Type",
      "traceparent"
    ])
    assert.includeMembers(answer?.headers.get("access-control-allow-methods")?.split(", ") ?? [], [
      "GET",
      "POST",
      "PATCH",
      "DELETE"
    ])
    assert.strictEqual(answer?.headers.get("access-control-allow-origin"), "*")
  })
})

describe("methods", () => {
  it("HEAD gives what GET would, without its body", async () => {
    for (const target of ["/api/v1", PINNED, "/api/v1/nothing"]) {
      const head = await raw(target, {}, "HEAD")
      const get = await raw(target)
      assert.strictEqual(head?.status, get?.status)
      assert.strictEqual(head?.body, "")
      assert.strictEqual(head?.headers.get("content-length"), get?.headers.get("content-length"))
      assert.strictEqual(head?.headers.get("etag"), get?.headers.get("etag"))
    }
  })

  it("that a path does not take are refused with those that it does", async () => {
    const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
      ["POST", "/api/v1", ["GET", "HEAD", "OPTIONS"]],
      ["DELETE", "/api/v1/catalog/contracts", ["GET", "HEAD", "OPTIONS"]],
      ["PUT", "/api/v1/accounts/me", ["GET", "OPTIONS", "PATCH"]],
      ["HEAD", "/api/v1/accounts/me", ["GET", "OPTIONS", "PATCH"]],
      ["GET", "/api/v1/accounts/enroll", ["OPTIONS", "POST"]],
      ["PATCH", "/api/v1/accounts/me/bots/x", ["DELETE", "OPTIONS"]],
      ["TRACE", "/api/v1", ["GET", "HEAD", "OPTIONS"]],
      ["POST", "/", ["GET", "HEAD"]],
      ["OPTIONS", "/", ["GET", "HEAD"]],
      ["POST", "/docs", ["GET", "HEAD"]]
    ]
    for (const [method, target, allow] of cases) {
      const answer = await raw(target, {}, method)
      assert.strictEqual(answer?.status, 405, `${method} ${target}`)
      assert.deepStrictEqual(answer?.headers.get("allow")?.split(", ").sort(), allow)
      if (method !== "HEAD") assert.strictEqual(rawProblem(answer).code, "METHOD_NOT_ALLOWED")
    }
  })
})

describe("the bare address", () => {
  it("takes neither a body nor a parameter", async () => {
    assert.strictEqual((await raw("/"))?.status, 302)
    assert.strictEqual(rawProblem(await raw("/?a=1")).code, "INVALID_QUERY")
    const body = await sendRaw(service.url, rawRequest("GET", "/", { "Content-Length": "2" }, "{}"))
    assert.strictEqual(rawProblem(body).code, "GET_BODY_UNSUPPORTED")
  })
})

describe("a preflight", () => {
  it("is answered within the API alone", async () => {
    for (const target of ["/api/v1", "/api/v1?a=1", "/api/v1/", "/api/v1/nothing"])
      assert.strictEqual((await raw(target, {}, "OPTIONS"))?.status, 204, target)
    for (const target of ["/api/v10", "/api/v1.json", "/api", "/nothing"])
      assert.strictEqual(rawProblem(await raw(target, {}, "OPTIONS")).code, "ENDPOINT_NOT_FOUND", target)
  })
})

describe("pinned answers", () => {
  it("are told apart by a strong tag for each encoding", async () => {
    const tags = new Set<string | undefined>()
    const plain = await bytesOf(PINNED, {})
    for (const [encoding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync]
    ] as const) {
      const answer = await raw(PINNED, { "Accept-Encoding": encoding })
      assert.strictEqual(answer?.headers.get("content-encoding"), encoding)
      tags.add(answer?.headers.get("etag"))
      assert.deepStrictEqual(decode(await bytesOf(PINNED, { "Accept-Encoding": encoding })), plain)
    }
    tags.add((await raw(PINNED))?.headers.get("etag"))
    assert.strictEqual(tags.size, 3)
  })

  it("are compressed only where that is asked for", async () => {
    const encodingFor = async (accept: string) =>
      (await raw(PINNED, { "Accept-Encoding": accept }))?.headers.get("content-encoding")
    assert.strictEqual(await encodingFor("gzip, deflate, br"), "br")
    assert.strictEqual(await encodingFor("gzip;q=0.5"), "gzip")
    assert.strictEqual(await encodingFor("br;q=0, gzip"), "gzip")
    assert.strictEqual(await encodingFor("BR"), "br")
    for (const accept of ["identity", "deflate", "gzip;q=0", "br; q=0.0", "brotli", ""])
      assert.isUndefined(await encodingFor(accept), accept)
  })

  it("are not sent again to who has them", async () => {
    for (const encoding of ["identity", "gzip", "br"]) {
      const headers = { "Accept-Encoding": encoding }
      const etag = (await raw(PINNED, headers))?.headers.get("etag") ?? ""
      for (const asked of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const answer = await raw(PINNED, { ...headers, "If-None-Match": asked })
        assert.strictEqual(answer?.status, 304, asked)
        assert.strictEqual(answer?.headers.get("etag"), etag)
        assert.isFalse(answer?.headers.has("content-length"))
        assert.strictEqual(answer?.headers.get("cache-control"), "public, max-age=60, must-revalidate")
      }
      assert.strictEqual((await raw(PINNED, { ...headers, "If-None-Match": '"other"' }))?.status, 200)
    }
  })
})

describe("queries", () => {
  it("know their parameters, once each and not empty", async () => {
    const cases: ReadonlyArray<readonly [string, string, string]> = [
      ["/api/v1?a=1", "INVALID_QUERY", "a"],
      ["/api/v1/capabilities?a", "INVALID_QUERY", "a"],
      ["/api/v1/catalog/contracts?limit=1&limit=1", "INVALID_QUERY", "limit"],
      ["/api/v1/catalog/contracts?limit=1&%6Cimit=1", "INVALID_QUERY", "limit"],
      ["/api/v1/catalog/contracts?Limit=1", "INVALID_QUERY", "Limit"],
      ["/api/v1/catalog/contracts?limit=", "MISSING_PARAMETER", "limit"],
      ["/api/v1/catalog/contracts?limit", "MISSING_PARAMETER", "limit"],
      ["/api/v1/catalog/contracts?&limit=1", "INVALID_QUERY", ""],
      ["/api/v1/catalog/contract", "MISSING_PARAMETER", "id"],
      ["/api/v1/catalog/method?contractId=a", "MISSING_PARAMETER", "signature"],
      ["/api/v1/catalog/contracts?__proto__=1", "INVALID_QUERY", "__proto__"],
      ...["0", "101", "-1", "1.5", "1e1", "0x1", "+1", "01", " 1", "NaN"].map(
        value =>
          [
            `/api/v1/catalog/contracts?limit=${encodeURIComponent(value)}`,
            "INVALID_PARAMETER",
            "limit"
          ] as const
      ),
      ...["100001", "-1"].map(
        value => [`/api/v1/catalog/contracts?offset=${value}`, "INVALID_PARAMETER", "offset"] as const
      ),
      ["/api/v1/catalog/contracts?deployedOnly=yes", "INVALID_PARAMETER", "deployedOnly"],
      ["/api/v1/catalog/contracts?category=thing", "INVALID_PARAMETER", "category"],
      ["/api/v1/catalog/contracts?chainId=0", "INVALID_PARAMETER", "chainId"]
    ]
    for (const [target, code, parameter] of cases) {
      const problem = await assertProblem(await at(target), code)
      assert.strictEqual(problem.context?.parameter, parameter, target)
    }
  })

  it("are taken at the edges of their bounds", async () => {
    for (const query of ["limit=1", "limit=99", "limit=100", "offset=0", "offset=99999", "offset=100000"])
      assert.strictEqual((await at(`/api/v1/catalog/contracts?${query}`)).status, 200, query)
  })
})
