import { readFile } from "node:fs/promises"
import { assert, it } from "vitest"
import { settingRows } from "../../src/settings/register.ts"

it("lists every setting in the README with its default and meaning", async () => {
  const readme = await readFile("README.md", "utf8")
  const rows = readme.split("\n").filter(line => line.startsWith("| `SERVICE_"))
  assert.deepStrictEqual(
    rows,
    settingRows.map(({ name, standard, help }) => `| \`${name}\` | ${standard} | ${help} |`)
  )
})
