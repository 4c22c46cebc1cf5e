import { afterAll, assert, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { openRaw, rawRequest } from "../support/HttpRaw.ts"
import { rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedInit } from "../support/SignedFetch.ts"

/** As long as a body that is only slow would be waited for. */
const BODY_WAIT_MILLIS = 15_000

const service = await startService()

afterAll(() => service.stop())

it("never gives what follows a request an answer before that request's own", async () => {
  const owner = newOwner()
  await enroll(service, owner)
  for (const garbage of ["GARBAGE\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"]) {
    const { headers } = await signedInit(service, owner, "GET", "/api/v1/accounts/me")
    const connection = openRaw(service.url)
    connection.write(rawRequest("GET", "/api/v1/accounts/me", headers) + garbage)
    await connection.ended
    const [first] = await connection.answers(0)
    if (first !== undefined) assert.strictEqual(first.status, 200, garbage)
  }
})

it("answers whoever ended their own side after the last request", async () => {
  const owner = newOwner()
  await enroll(service, owner)
  const requests = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const { headers } = await signedInit(service, owner, "GET", "/api/v1/accounts/me")
      return rawRequest("GET", "/api/v1/accounts/me", headers)
    })
  )
  const connection = openRaw(service.url)
  connection.socket.end(requests.join(""))
  const answers = await connection.answers(requests.length)
  assert.deepStrictEqual(
    answers.map(({ status }) => status),
    [200, 200, 200]
  )
  await connection.ended
})

it("refuses a body that is framed wrongly at once", async () => {
  const owner = newOwner()
  await enroll(service, owner)
  const { headers } = await signedInit(service, owner, "PATCH", "/api/v1/accounts/me", { body: {} })
  const connection = openRaw(service.url)
  const started = performance.now()
  connection.write(
    rawRequest("PATCH", "/api/v1/accounts/me", { ...headers, "Transfer-Encoding": "chunked" }, "zz\r\n{}\r\n")
  )
  const [answer] = await connection.answers(1)
  assert.strictEqual(rawProblem(answer).code, "INVALID_REQUEST_TARGET")
  await connection.ended
  assert.isBelow(performance.now() - started, BODY_WAIT_MILLIS)
})

it("gives what follows a request of no certain end no answer, so that none stands in another's place", async () => {
  const uncertain = [
    rawRequest("GET", "/api/v1", { Connection: "Upgrade", Upgrade: "h2c" }),
    rawRequest(
      "PATCH",
      "/api/v1/accounts/me",
      { Connection: "keep-alive", "Transfer-Encoding": "chunked" },
      "0\r\n\r\n"
    ).replace("HTTP/1.1", "HTTP/1.0")
  ]
  for (const request of uncertain) {
    const connection = openRaw(service.url)
    connection.write(request + rawRequest("GET", "/api/v1/nothing"))
    await connection.answers(1)
    connection.write(rawRequest("GET", "/api/v1/capabilities"))
    const answers = await connection.answers(2)
    connection.socket.destroy()
    assert.deepStrictEqual(
      answers.map(({ headers }) => headers.get("connection")),
      ["close"],
      request
    )
  }
})

it("answers 128 requests that wait together, refuses the next, and hears no more of that connection", async () => {
  const connection = openRaw(service.url)
  connection.write(rawRequest("GET", "/api/v1/accounts/me").repeat(5_000))
  await connection.ended
  const answers = await connection.answers(0)
  const codes = answers.map(answer => rawProblem(answer).code)
  const first = codes.indexOf("SERVICE_BUSY")
  assert.isAtLeast(first, 128)
  assert.strictEqual(first, codes.length - 1)
  assert.isBelow(codes.length, 5_000)
  assert.strictEqual((await fetch(`${service.url}/api/v1`)).status, 200)
})

it("answers however many requests come one after the other", async () => {
  const connection = openRaw(service.url)
  for (let asked = 1; asked <= 300; asked++) {
    connection.write(rawRequest("GET", "/api/v1"))
    assert.strictEqual((await connection.answers(asked)).at(-1)?.status, 200)
  }
  connection.socket.destroy()
})
