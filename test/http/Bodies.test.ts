import { gzipSync } from "node:zlib"
import { afterAll, assert, describe, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { openRaw, rawRequest, sendRaw } from "../support/HttpRaw.ts"
import { assertProblem, rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, type RequestOptions, signedFetch, signedInit } from "../support/SignedFetch.ts"

const ME = "/api/v1/accounts/me"
const LIMIT = 65_536
const BODY_WAIT_MILLIS = 15_000
/** Timers may fire a moment early, and the wait begins before the test looks at its clock. */
const EARLY_MILLIS = 1_000

const service = await startService({
  settings: { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }, maximumInWork: 4 }
})
const owner = newOwner()
await enroll(service, owner)

afterAll(() => service.stop())

const patch = (options: RequestOptions) => signedFetch(service, owner, "PATCH", ME, options)
const signedHeaders = async (method: string, options: RequestOptions = {}) =>
  (await signedInit(service, owner, method, ME, options)).headers

/** A PATCH as raw bytes, for what fetch frames by itself. */
const raw = async (headers: Readonly<Record<string, string>>, body: string, options: RequestOptions = {}) =>
  sendRaw(
    service.url,
    rawRequest(
      "PATCH",
      ME,
      { ...(await signedHeaders("PATCH", { rawBody: "{}", ...options })), ...headers },
      body
    )
  )

const padded = (bytes: number) => `{}${" ".repeat(bytes - 2)}`

describe("what a body may declare", () => {
  it("no encoding but identity, in any header line", async () => {
    for (const encoding of ["gzip", "br", "deflate", "x", "gzip, identity"])
      await assertProblem(
        await patch({ body: {}, headers: { "Content-Encoding": encoding } }),
        "UNSUPPORTED_ENCODING"
      )
    assert.strictEqual((await patch({ body: {}, headers: { "Content-Encoding": "identity" } })).status, 200)
    const twice = await raw(
      { "Content-Encoding": "identity\r\nContent-Encoding: gzip", "Content-Length": "2" },
      "{}"
    )
    assert.strictEqual(rawProblem(twice).code, "UNSUPPORTED_ENCODING")
    const zipped = gzipSync("{}")
    const init = await signedInit(service, owner, "PATCH", ME, { body: {} })
    const answer = await fetch(`${service.url}${ME}`, {
      ...init,
      headers: { ...init.headers, "Content-Encoding": "gzip" },
      body: zipped
    })
    await assertProblem(answer, "UNSUPPORTED_ENCODING")
  })

  it("no coding of its transfer but chunks", async () => {
    for (const coding of ["gzip, chunked", "x, chunked", "gzip\r\nTransfer-Encoding: chunked"])
      assert.strictEqual(
        rawProblem(await raw({ "Transfer-Encoding": coding }, "2\r\n{}\r\n0\r\n\r\n")).code,
        "UNSUPPORTED_ENCODING",
        coding
      )
    assert.strictEqual((await raw({ "Transfer-Encoding": "Chunked" }, "2\r\n{}\r\n0\r\n\r\n"))?.status, 200)
  })

  it("no type but JSON, once", async () => {
    for (const contentType of [
      "text/plain",
      "application/jsonp",
      "application/json2",
      "application/problem+json",
      "multipart/form-data",
      "application/json, text/plain",
      "",
      `application/json; a=${"b".repeat(240)}`,
      "application/json; charset=utf-16",
      "application/json;charset=ISO-8859-1",
      'application/json; charset="us-ascii"',
      "application/json; a=b; Charset=utf-16le",
      "application/json; charset=utf-8; charset=utf-16",
      'application/json; a="b;c\\""; charset=utf-7',
      "application/json; charset=",
      "application/json; charset",
      "application/json; a b"
    ])
      await assertProblem(await patch({ body: {}, contentType }), "UNSUPPORTED_MEDIA_TYPE")
    for (const contentType of [
      "application/json",
      "APPLICATION/JSON",
      "application/json; charset=utf-8",
      'application/json;CharSet="UTF-8"',
      "application/json; charset=utf8",
      'application/json; a="; charset=utf-16"',
      "application/json;",
      "application/json ;a=b",
      `application/json;a=${"b".repeat(256 - 19)}`
    ])
      assert.strictEqual((await patch({ body: {}, contentType })).status, 200, contentType)
    const twice = await raw(
      { "Content-Type": "application/json\r\nContent-Type: application/json", "Content-Length": "2" },
      "{}"
    )
    assert.strictEqual(rawProblem(twice).code, "UNSUPPORTED_MEDIA_TYPE")
  })

  it("one content type of 256 characters at most, also where there is no body", async () => {
    const page = "/api/v1/catalog/contracts?limit=1"
    const longest = "a".repeat(256)
    for (const [method, target] of [
      ["GET", ME],
      ["DELETE", `${ME}/bots/01234567-89ab-4def-8123-456789abcdef`],
      ["GET", page]
    ] as const) {
      const codeOf = async (contentType: string, sent = contentType) => {
        const { headers } = await signedInit(service, owner, method, target, { contentType })
        const answer = await sendRaw(
          service.url,
          rawRequest(method, target, { ...headers, "Content-Type": sent })
        )
        return answer?.status === 200 ? "OK" : rawProblem(answer).code
      }
      const good = method === "GET" ? "OK" : "GRANT_NOT_FOUND"
      assert.deepStrictEqual([await codeOf("text/plain"), await codeOf(longest)], [good, good])
      assert.strictEqual(await codeOf(`${longest}a`), "UNSUPPORTED_MEDIA_TYPE")
      assert.strictEqual(
        await codeOf("text/plain", "text/plain\r\nContent-Type: text/plain"),
        "UNSUPPORTED_MEDIA_TYPE"
      )
    }
  })

  it("none at all on GET, HEAD and where the route takes none", async () => {
    for (const [method, target] of [
      ["GET", ME],
      ["GET", "/api/v1"],
      ["HEAD", "/api/v1"],
      ["GET", "/api/v1/catalog/contracts"]
    ] as const) {
      const headers = target === ME ? await signedHeaders("GET") : {}
      for (const framing of [{ "Content-Length": "2" }, { "Transfer-Encoding": "chunked" }]) {
        const body = "Content-Length" in framing ? "{}" : "0\r\n\r\n"
        const answer = await sendRaw(
          service.url,
          rawRequest(method, target, { ...headers, ...framing }, body),
          method === "HEAD"
        )
        assert.strictEqual(answer?.status, 400, `${method} ${target}`)
        if (method === "GET") assert.strictEqual(rawProblem(answer).code, "GET_BODY_UNSUPPORTED")
      }
    }
    assert.strictEqual(
      (await sendRaw(service.url, rawRequest("GET", "/api/v1", { "Content-Length": "0" })))?.status,
      200
    )
    const bots = `${ME}/bots/01234567-89ab-4def-8123-456789abcdef`
    const answer = await signedFetch(service, owner, "DELETE", bots, { body: {} })
    await assertProblem(answer, "INVALID_INPUT")
  })
})

describe("how large a body may be", () => {
  it("64 KiB on account routes, to the byte, declared or streamed", async () => {
    for (const size of [LIMIT - 1, LIMIT])
      assert.strictEqual((await patch({ rawBody: padded(size) })).status, 200)
    const declared = await raw({ "Content-Length": String(LIMIT + 1) }, "")
    assert.strictEqual(rawProblem(declared).code, "BODY_TOO_LARGE")
    const chunk = (size: number) => `${size.toString(16)}\r\n${" ".repeat(size)}\r\n`
    const streamed = await raw(
      { "Transfer-Encoding": "chunked" },
      `2\r\n{}\r\n${chunk(LIMIT - 2)}${chunk(1)}`
    )
    assert.deepInclude(rawProblem(streamed), { code: "BODY_TOO_LARGE", context: { limitBytes: LIMIT } })
    const whole = padded(LIMIT)
    const exact = await raw({ "Transfer-Encoding": "chunked" }, `2\r\n{}\r\n${chunk(LIMIT - 2)}0\r\n\r\n`, {
      rawBody: whole
    })
    assert.strictEqual(exact?.status, 200)
  })

  it("tells a client that goes on sending, and takes no more", async () => {
    for (let round = 0; round < 10; round++)
      await assertProblem(await patch({ rawBody: padded(LIMIT * 4) }), "BODY_TOO_LARGE")
  })

  it("does not read on for a request that it has refused", async () => {
    const connection = openRaw(service.url)
    connection.write(rawRequest("PATCH", ME, { "Content-Length": String(10 ** 9) }))
    const [answer] = await connection.answers(1)
    assert.strictEqual(rawProblem(answer).code, "AUTH_REQUIRED")
    assert.strictEqual(answer?.headers.get("connection"), "close")
    await connection.ended
  })
})

describe("in how many pieces a body may come", () => {
  const pieces = (body: string, size: number): string => {
    const each = body.match(new RegExp(`.{1,${size}}`, "g")) ?? []
    return `${each.map(piece => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("")}0\r\n\r\n`
  }
  const inPieces = async (bytes: number, size: number) => {
    const body = padded(bytes)
    const headers = { ...(await signedHeaders("PATCH", { rawBody: body })), "Transfer-Encoding": "chunked" }
    return rawRequest("PATCH", ME, headers, pieces(body, size))
  }

  it("1,024 of any size and one more for each 16 bytes, on a connection that stays", async () => {
    const connection = openRaw(service.url)
    let sent = 0
    for (const [bytes, size] of [
      [1_024, 1],
      [LIMIT, 64],
      [LIMIT, 16]
    ] as const) {
      connection.write(await inPieces(bytes, size))
      sent++
      const answers = await connection.answers(sent)
      assert.strictEqual(answers.at(-1)?.status, 200, `${bytes} bytes by ${size}`)
    }
    connection.socket.destroy()
  })

  it("no more, whoever signed them", async () => {
    for (const [bytes, size] of [
      [1_100, 1],
      [LIMIT, 12],
      [LIMIT, 1]
    ] as const) {
      const answer = await sendRaw(service.url, await inPieces(bytes, size))
      const problem = rawProblem(answer)
      assert.strictEqual(problem.code, "UNSUPPORTED_ENCODING", `${bytes} bytes by ${size}`)
      assert.deepStrictEqual(problem.context, {
        header: "Transfer-Encoding",
        chunks: 1_024,
        bytesOfAnother: 16
      })
    }
  })
})

describe("a body that does not come", () => {
  const begun = async () => {
    const connection = openRaw(service.url)
    const headers = { ...(await signedHeaders("PATCH", { rawBody: "{}" })), "Content-Length": "2" }
    connection.write(rawRequest("PATCH", ME, headers, "{"))
    return connection
  }

  it("times out after 15 seconds and keeps nobody else from working", { timeout: 120_000 }, async () => {
    const stalled = await Promise.all(Array.from({ length: 8 }, begun))
    const started = performance.now()
    assert.strictEqual((await signedFetch(service, owner, "GET", ME)).status, 200)
    for (const connection of stalled) {
      const [answer] = await connection.answers(1)
      assert.include(["BODY_TIMEOUT", "SERVICE_BUSY"], rawProblem(answer).code)
      if (rawProblem(answer).code === "BODY_TIMEOUT")
        assert.isAbove(performance.now() - started, BODY_WAIT_MILLIS - EARLY_MILLIS)
      await connection.ended
    }
    assert.isBelow(performance.now() - started, 2 * BODY_WAIT_MILLIS)
    assert.strictEqual((await patch({ body: {} })).status, 200)
  })

  it("is forgotten when the client leaves", async () => {
    for (let round = 0; round < 20; round++) {
      const connection = await begun()
      await new Promise(resolve => connection.socket.once("ready", resolve))
      connection.socket.destroy()
    }
    const last = await begun()
    last.socket.end()
    await last.ended
    assert.strictEqual((await patch({ body: {} })).status, 200)
  })
})
