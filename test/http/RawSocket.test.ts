import { Either } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { parseTarget } from "../../src/http/RequestTarget.ts"
import { openRaw, rawRequest, sendRaw } from "../support/HttpRaw.ts"
import { rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"

const service = await startService()

afterAll(() => service.stop())

const codeOf = async (bytes: string | Uint8Array) => rawProblem(await sendRaw(service.url, bytes)).code
const get = (target: string) => codeOf(rawRequest("GET", target))
const post = (...lines: ReadonlyArray<string>) =>
  codeOf(["POST /api/v1/accounts/enroll HTTP/1.1", "Host: a", ...lines].join("\r\n"))

describe("the parser's own refusals are problem objects", () => {
  const unparsed: ReadonlyArray<readonly [string, string]> = [
    [
      "both lengths",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ],
    [
      "two lengths that differ",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} "
    ],
    [
      "two lengths that agree",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}"
    ],
    ["a list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2, 2\r\n\r\n{}"],
    ["a signed length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\n{}"],
    ["a negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -2\r\n\r\n{}"],
    [
      "chunked that is not last",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n{}"
    ],
    ["a space before the colon", "GET /api/v1 HTTP/1.1\r\nHost : a\r\n\r\n"],
    ["a folded header", "GET /api/v1 HTTP/1.1\r\nHost: a\r\nX-Service-Nonce: 0x\r\n 00\r\n\r\n"],
    ["a bare line feed in a header", "GET /api/v1 HTTP/1.1\r\nHost: a\nX: b\r\n\r\n"],
    ["a zero byte in a header", "GET /api/v1 HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n"],
    ["a version that does not exist", "GET /api/v1 HTTP/3.7\r\nHost: a\r\n\r\n"],
    ["the HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["an unknown method", "FROB /api/v1 HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a lower-case method", "get /api/v1 HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a space inside the target", "GET /api /v1 HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a target without a slash", "GET api/v1 HTTP/1.1\r\nHost: a\r\n\r\n"]
  ]
  for (const [name, bytes] of unparsed)
    it(name, async () => {
      assert.strictEqual(await codeOf(bytes), "INVALID_REQUEST_TARGET")
    })

  it("a target of 64 KiB", async () => {
    assert.strictEqual(await get(`/api/v1?a=${"a".repeat(65_536)}`), "INVALID_REQUEST_TARGET")
  })

  it("a header block over 32 KiB", async () => {
    assert.strictEqual(
      await codeOf(rawRequest("GET", "/api/v1", { "X-Filler": "a".repeat(33 * 1024) })),
      "INVALID_REQUEST_TARGET"
    )
  })

  it("CONNECT", async () => {
    assert.strictEqual(
      await codeOf("CONNECT service.test:443 HTTP/1.1\r\nHost: service.test:443\r\n\r\n"),
      "INVALID_REQUEST_TARGET"
    )
  })
})

describe("targets", () => {
  const invalid = [
    "*",
    "http://service.test/api/v1",
    "//service.test/api/v1#x",
    "/api/v1#x",
    "/api\\v1",
    "/api/v1?a=%",
    "/api/v1?a=%g0",
    "/api/v1%2Fcapabilities",
    "/api/v1%5ccapabilities"
  ]
  for (const target of invalid)
    it(`refuses ${target}`, async () => {
      assert.strictEqual(await get(target), "INVALID_REQUEST_TARGET")
    })

  const noncanonical = [
    "/api/v1/../v1",
    "/api/./v1",
    "/api/v1/..",
    "/api/%2e%2e/api/v1",
    "/api/.%2E/v1",
    "//service.test/api/v1",
    "/api//v1",
    "/api/v1?",
    "/api/v1?a='",
    '/api/v1?a="',
    "/api/v1?a=<"
  ]
  for (const target of noncanonical)
    it(`refuses ${target} as noncanonical`, async () => {
      assert.strictEqual(await get(target), "NONCANONICAL_REQUEST_TARGET")
    })

  it("tells where a target differs from what a URL parser makes of it", () => {
    const memo = "/api/v1?input=%7B%22memo%22%3A%22it's%22%7D"
    const refusal = Either.getOrThrow(Either.flip(parseTarget(memo)))
    assert.deepStrictEqual(refusal.context, {
      received: "2memo%22%3A%22it's%22%7D",
      expected: "2memo%22%3A%22it%27s%22%7D"
    })
  })

  const absent = [
    "/api/v1/",
    "/API/v1",
    "/api/v1;x=1",
    "/api/v1/accounts/me/",
    "/api/v1/%61ccounts/me",
    "/api/v1%00",
    "/api/v1/accounts/me/bots/"
  ]
  for (const target of absent)
    it(`knows no ${target}`, async () => {
      assert.strictEqual(await get(target), "ENDPOINT_NOT_FOUND")
    })

  it("takes 4096 characters and no more", async () => {
    const of = (length: number) => `/api/v1/catalog/contract?id=${"a".repeat(length - 28)}`
    assert.strictEqual(await get(of(4095)), "CONTRACT_NOT_FOUND")
    assert.strictEqual(await get(of(4096)), "CONTRACT_NOT_FOUND")
    assert.strictEqual(await get(of(4097)), "INVALID_REQUEST_TARGET")
  })

  it("keeps an encoded slash and a zero byte of the query for the query's own rules", async () => {
    assert.strictEqual(await get("/api/v1/catalog/contract?id=%2f%00"), "CONTRACT_NOT_FOUND")
    assert.strictEqual(await get("/api/v1/catalog/contract?id=%ff"), "INVALID_UTF8")
  })
})

describe("the Host header", () => {
  const asking = (version: string, ...hosts: ReadonlyArray<string>) =>
    [`GET /api/v1/capabilities${version}`, ...hosts.map(host => `host: ${host}`), "", ""].join("\r\n")

  const refused: ReadonlyArray<readonly [string, string]> = [
    ["none", asking(" HTTP/1.1")],
    ["two that differ", asking(" HTTP/1.1", "a", "b")],
    ["two that agree", asking(" HTTP/1.1", "a", "a")],
    ["a path in it", asking(" HTTP/1.1", "a/b")],
    ["a space in it", asking(" HTTP/1.1", "a b")],
    ["somebody's name in it", asking(" HTTP/1.1", "me@a")],
    ["a request line without a version", asking("")]
  ]
  for (const [name, bytes] of refused)
    it(`is refused: ${name}`, async () => {
      assert.strictEqual(await codeOf(bytes), "INVALID_REQUEST_TARGET")
    })

  it("is taken once, empty too, and is no matter to HTTP/1.0", async () => {
    for (const bytes of [
      ...["a", "", "127.0.0.1:80", "[::1]:8787", "xn--a.example"].map(host => asking(" HTTP/1.1", host)),
      asking(" HTTP/1.0")
    ])
      assert.strictEqual((await sendRaw(service.url, bytes))?.status, 200, bytes)
  })

  it("is asked for before an answer is given from kept bytes", async () => {
    const target = "/api/v1/catalog/contracts?limit=1"
    for (let asked = 0; asked < 3; asked++)
      assert.strictEqual((await sendRaw(service.url, rawRequest("GET", target)))?.status, 200)
    assert.strictEqual(await codeOf(`GET ${target} HTTP/1.1\r\n\r\n`), "INVALID_REQUEST_TARGET")
  })
})

describe("connections", () => {
  it("ignores an upgrade to h2c", async () => {
    const answer = await sendRaw(
      service.url,
      rawRequest("GET", "/api/v1", {
        Connection: "Upgrade, HTTP2-Settings",
        Upgrade: "h2c",
        "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA"
      })
    )
    assert.strictEqual(answer?.status, 200)
  })

  it("ignores an unknown expectation", async () => {
    const expecting = await sendRaw(service.url, rawRequest("GET", "/api/v1", { Expect: "something" }))
    assert.strictEqual(expecting?.status, 200)
  })

  it("answers pipelined requests in their order", async () => {
    const connection = openRaw(service.url)
    const targets = ["/api/v1", "/api/v1/nothing", "/api/v1/capabilities", "/api/v1/accounts/me", "/api/v1"]
    connection.write(targets.map(target => rawRequest("GET", target)).join(""))
    const answers = await connection.answers(targets.length)
    connection.socket.destroy()
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 404, 200, 401, 200]
    )
  })

  it("does not take the bytes after a refused body for a request", async () => {
    const connection = openRaw(service.url)
    const smuggled = rawRequest("GET", "/api/v1")
    connection.write(
      rawRequest("GET", "/api/v1/capabilities", { "Content-Length": String(smuggled.length) }, smuggled)
    )
    const answers = await connection.answers(2)
    assert.strictEqual(answers.length, 1)
    assert.strictEqual(rawProblem(answers[0]).code, "GET_BODY_UNSUPPORTED")
    await connection.ended
  })

  it("counts every header, however many there are", async () => {
    const fillers = Array.from({ length: 2500 }, (_, index) => `f${index}: `)
    const code = await post(
      "X-Service-Nonce: 0x00",
      ...fillers,
      "X-Service-Nonce: 0x01",
      "Content-Length: 0",
      "\r\n"
    )
    assert.strictEqual(code, "INVALID_AUTH")
  })
})
