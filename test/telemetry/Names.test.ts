/** Operators find every metric of the sources in their pages, and no other. */
import { readFile } from "node:fs/promises"
import { assert, it } from "vitest"
import { files } from "../support/Sources.ts"

const NAME = /\b(?:service|process|nodejs)_[a-z0-9_]+[a-z0-9]\b/g
const LITERAL = /"((?:service|process|nodejs)_[a-z0-9_]+)"/g

it("is in the operators' pages", async () => {
  const made = files.flatMap(({ lines }) => [...lines.join("\n").matchAll(LITERAL)].map(([, name]) => name))
  const page = await readFile("docs/operating/metrics.md", "utf8")
  const told = [...page.matchAll(NAME)].map(([name]) => name)
  assert.isAbove(made.length, 40)
  assert.deepStrictEqual([...new Set(told)].sort(), [...new Set(made)].sort())
})
