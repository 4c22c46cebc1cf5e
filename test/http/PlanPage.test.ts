import { afterAll, assert, describe, it } from "vitest"
import { assertProblem } from "../support/OpenApiResponses.ts"
import { startService } from "../support/Service.ts"

const ID = "5f0c8a52-0b1c-4f0a-9f53-000000000001"

const service = await startService()

afterAll(() => service.stop())

const ask = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init)

describe("the page of a plan", () => {
  it("is the same frame for every plan and everyone, and lets only its own script run", async () => {
    const response = await ask(`/console/plans/${ID}`)
    assert.strictEqual(response.status, 200)
    const policy = response.headers.get("content-security-policy") ?? ""
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'"
    ])
      assert.include(policy.split("; "), rule)
    assert.notMatch(policy, /unsafe|https?:|\*/)
    assert.strictEqual(response.headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(response.headers.get("referrer-policy"), "no-referrer")
    assert.strictEqual(response.headers.get("x-frame-options"), "DENY")
    const page = await response.text()
    assert.notInclude(page, ID)
    const other = await ask(`/console/plans/${ID.replace("1", "2")}`)
    assert.strictEqual(await other.text(), page)
    const loaded = [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, to = ""]) => to)
    assert.include(loaded, "/console/main.js")
    for (const to of loaded) assert.match(to, /^\/[a-z]/)
  })

  it("brings its stylesheet from the service too", async () => {
    const response = await ask("/console/main.css")
    assert.strictEqual(response.headers.get("content-type"), "text/css; charset=utf-8")
    assert.notMatch(await response.text(), /url\(|@import/)
  })

  it("is the frame of every page of the console, and of no other", async () => {
    const page = await (await ask(`/console/plans/${ID}`)).text()
    const paths = [
      "",
      "/plans",
      "/bots",
      "/profile",
      "/activity",
      "/do",
      "/do/pay_project",
      "/projects",
      "/projects/10/2"
    ]
    for (const path of paths) assert.strictEqual(await (await ask(`/console${path}`)).text(), page, path)
    assert.strictEqual(await (await ask("/console/do/pay_project?chainId=10&projectId=2")).text(), page)
    for (const path of [
      "/",
      "/plan",
      "/do/",
      "/do/Pay",
      "/projects/10",
      "/projects/10/0",
      "/bots/x",
      "/plans?x=1"
    ])
      assert.include([400, 404], (await ask(`/console${path}`)).status, path)
  })

  it("is only there for what may be a plan's id, and only to look at", async () => {
    assert.strictEqual((await ask("/console/plans/x", { headers: { accept: "text/html" } })).status, 404)
    assert.strictEqual((await ask(`/console/plans/${ID}/`)).status, 404)
    const posted = await ask(`/console/plans/${ID}`, { method: "POST", body: "x" })
    assert.strictEqual((await assertProblem(posted)).code, "METHOD_NOT_ALLOWED")
    assert.strictEqual((await assertProblem(await ask(`/console/plans/${ID}?x=1`))).code, "INVALID_QUERY")
  })
})
