import { afterAll, assert, describe, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, type RequestOptions, signedFetch } from "../support/SignedFetch.ts"

const ME = "/api/v1/accounts/me"

const service = await startService({
  settings: { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 } }
})
const owner = newOwner()
await enroll(service, owner)

afterAll(() => service.stop())

const patch = (options: RequestOptions) => signedFetch(service, owner, "PATCH", ME, options)

describe("what a body may say", () => {
  const cases: ReadonlyArray<readonly [string, string | Uint8Array<ArrayBuffer>]> = [
    ["INVALID_JSON", ""],
    ["INVALID_JSON", "{"],
    ["INVALID_JSON", "\ufeff{}"],
    ["INVALID_UTF8", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d)],
    ["DUPLICATE_JSON_KEY", '{"bio":"a","bio":"a"}'],
    ["RESERVED_JSON_KEY", '{"__proto__":{}}'],
    ["RESERVED_JSON_KEY", '{"bio":{"constructor":1}}'],
    ["UNSAFE_JSON_NUMBER", '{"bio":9007199254740993}'],
    ["UNSAFE_JSON_NUMBER", '{"bio":1e999}'],
    ["JSON_TOO_COMPLEX", "[".repeat(33) + "]".repeat(33)],
    ["JSON_TOO_COMPLEX", "[".repeat(32_000) + "]".repeat(32_000)],
    ["JSON_TOO_COMPLEX", `[${"0,".repeat(30_000)}0]`],
    ["INVALID_INPUT", "[]"],
    ["INVALID_INPUT", "null"],
    ["INVALID_INPUT", '{"bio":null}'],
    ["INVALID_INPUT", '{"unknown":1}'],
    ["INVALID_UTF8", '{"bio":"\\ud800"}'],
    ["INVALID_INPUT", '{"bio":"\\u0000"}']
  ]
  for (const [code, body] of cases)
    it(`${code} ${String(body).slice(0, 40)}`, async () => {
      const answer = typeof body === "string" ? await patch({ rawBody: body }) : await patch({ bytes: body })
      await assertProblem(answer, code)
    })

  it("names the member and what would be right", async () => {
    const problem = await assertProblem(await patch({ body: { bio: "a".repeat(2001) } }), "INVALID_INPUT")
    assert.strictEqual(problem.context?.path, "bio")
    assert.match(String(problem.context?.expected), /2000/)
    const unknown = await assertProblem(await patch({ body: { nickname: "a" } }), "INVALID_INPUT")
    assert.strictEqual(unknown.context?.path, "nickname")
  })

  it("exactly {} to enroll", async () => {
    for (const body of ['{"a":1}', "[]", "null", '""']) {
      const answer = await signedFetch(service, owner, "POST", "/api/v1/accounts/enroll", { rawBody: body })
      await assertProblem(answer, "INVALID_INPUT")
    }
    const spaced = await signedFetch(service, owner, "POST", "/api/v1/accounts/enroll", { rawBody: " { } " })
    assert.strictEqual(spaced.status, 200)
  })
})
