import { afterAll, assert, it } from "vitest"
import { startService } from "../support/Service.ts"

const PATH = "/docs/counted"

let made = 0
const page = () => {
  made += 1
  return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: "<!doctype html>" }
}

const service = await startService({ pages: new Map([[PATH, page]]) })

afterAll(() => service.stop())

it("a page is written until it is kept, whatever the requests for it carry", async () => {
  for (let asked = 0; asked < 10; asked++) {
    const response = await fetch(`${service.url}${PATH}`, { headers: { "content-type": "text/plain" } })
    assert.strictEqual(await response.text(), "<!doctype html>")
  }
  assert.strictEqual(made, 2)
})
