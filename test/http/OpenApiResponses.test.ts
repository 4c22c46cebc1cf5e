import { assert, describe, it } from "vitest"
import { assertResponse } from "../support/OpenApiResponses.ts"

const id = "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42"
const index = {
  version: "1",
  protocolVersion: 6,
  documentation: "/docs",
  openapi: "/api/v1/openapi.json",
  accounts: "/console",
  capabilities: "/api/v1/capabilities"
}
const problem = {
  type: "https://service.example/docs/errors#forbidden",
  title: "Forbidden",
  status: 403,
  detail: "No.",
  code: "FORBIDDEN",
  requestId: id,
  retryable: false
}

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": status < 400 ? "application/json" : "application/problem+json",
      "x-request-id": id,
      ...headers
    }
  })

const refused = async (response: Response, target = "/api/v1", method = "GET"): Promise<string> => {
  try {
    await assertResponse(response, method, target)
  } catch (error) {
    return String(error)
  }
  return "accepted"
}

describe("the check of answers against the description", () => {
  it("accepts what is described and leaves the body readable", async () => {
    const checked = await assertResponse(answer(200, index), "GET", "/api/v1")
    assert.deepStrictEqual(await checked.json(), index)
    assert.strictEqual(await refused(answer(403, problem)), "accepted")
  })

  it("refuses answers that are not as described", async () => {
    assert.include(await refused(answer(200, { ...index, more: 1 })), "additional properties")
    assert.include(await refused(answer(200, { ...index, protocolVersion: 5 })), "protocolVersion")
    assert.include(await refused(answer(201, index)), "status 201 is not described")
    assert.include(await refused(answer(200, index), "/api/v1/unknown"), "not described")
    assert.include(await refused(answer(200, index), "/api/v1", "POST"), "not described")
    assert.include(await refused(answer(403, problem, { "content-type": "text/html" })), "content type")
  })

  it("refuses problems that are not as described", async () => {
    assert.include(await refused(answer(403, { ...problem, code: "NO" })), "code")
    assert.include(await refused(answer(403, { ...problem, stack: "at" })), "additional properties")
    assert.include(await refused(answer(404, problem)), "another status")
    assert.include(await refused(answer(403, problem, { "x-request-id": "other" })), "another request id")
    const busy = { ...problem, status: 429, code: "SERVICE_BUSY" }
    assert.include(await refused(answer(429, busy)), "Retry-After")
  })
})
