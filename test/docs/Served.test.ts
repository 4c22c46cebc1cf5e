import { readdirSync } from "node:fs"
import { assert, it } from "vitest"
import { guides, guidesPage } from "../../src/http/pages/GuidesPage.ts"

const names = readdirSync("docs/guides/journeys")

it("guides are numbered without a gap, and served in the order of their numbers", () => {
  const numbers = names.map(name => Number.parseInt(name, 10))
  assert.deepStrictEqual(
    numbers.toSorted((a, b) => a - b),
    names.map((_, at) => at + 1)
  )
  const served = guides()
  for (const [at, { path }] of served.entries())
    assert.include(names, `${at + 1}-${path.slice("/docs/guides/".length)}.md`)
  const page = guidesPage(served)
  const places = served.map(({ path, article }) => page.indexOf(`<a href="${path}">${article().title}</a>`))
  assert.isAbove(places[0] ?? -1, 0)
  assert.deepStrictEqual(
    places,
    places.toSorted((a, b) => a - b)
  )
})
