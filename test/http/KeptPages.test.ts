import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, it } from "vitest"
import { Api } from "../../src/http/api/Api.ts"
import { describeApi } from "../../src/http/OpenApiDocument.ts"
import { makePages } from "../../src/http/pages/Pages.ts"
import { ownDeclarations } from "../../src/operations/framework/Declarations.ts"
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

it("the files of a page are those of the start, whatever is built meanwhile", async () => {
  const folder = await mkdtemp(join(tmpdir(), "built-"))
  const [main, part] = [join(folder, "console", "main.js"), join(folder, "console", "part.js")]
  await mkdir(join(folder, "console"))
  await writeFile(main, "import './part.js'")
  await writeFile(part, "export {}")
  const description = describeApi(Api)
  const described = { audience: "https://service.example", description, declared: ownDeclarations, added: [] }
  const pages = makePages(described, folder)
  await writeFile(main, "import './other.js'")
  await rm(part)
  const bodyOf = (path: string) => String(pages.get(path)?.().body)
  assert.strictEqual(bodyOf("/console/main.js"), "import './part.js'")
  assert.strictEqual(bodyOf("/console/part.js"), "export {}")
  await rm(folder, { recursive: true })
})
