import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const BLOCK = /^```\w+ (examples\/\S+)\n([\s\S]*?)\n```$/gm

const passages = Array.from(
  readFileSync("docs/extending.md", "utf8").matchAll(BLOCK),
  ([, path = "", text = ""]) => ({ path, text })
)

describe("how the service is extended from outside", () => {
  it("is shown by the example, which is compiled and run", () => {
    assert.isAtLeast(passages.length, 8)
  })

  it.each(passages)("$path has the passage as it is printed", ({ path, text }) => {
    assert.include(readFileSync(path, "utf8"), text)
  })
})
