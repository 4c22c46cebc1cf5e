import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { generatedFiles } from "../../scripts/operations/Files.ts"
import { folders } from "../../scripts/operations/Folders.ts"
import { isPlan, ownDeclarations } from "../../src/operations/framework/Declarations.ts"

describe("the registers of operations", () => {
  const generated = generatedFiles()

  it.each(generated)("$path is what the folders give", ({ path, text }) => {
    assert.strictEqual(readFileSync(path, "utf8"), text)
  })

  it("are all that is generated", () => {
    assert.sameMembers(
      readdirSync("src/operations/generated").map(name => `src/operations/generated/${name}`),
      generated.map(({ path }) => path)
    )
  })

  it("have each operation under the name of its folder", () => {
    assert.sameMembers(
      folders.map(({ id }) => id),
      ownDeclarations.map(({ id }) => id)
    )
    for (const { id, isPlan: prepares } of folders) {
      const declaration = ownDeclarations.find(each => each.id === id)
      assert.isTrue(declaration !== undefined && isPlan(declaration) === prepares, id)
    }
  })
})
