/** What was released of the database stays as it was: numbered migrations for good, a function until its next edition. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { functionFiles } from "../../src/database/MigrationFiles.ts"
import { MIGRATIONS, numberedNames } from "../support/MigrationDirectories.ts"
import released from "./released.json" with { type: "json" }

const hashOf = (name: string) =>
  createHash("sha256")
    .update(readFileSync(join(MIGRATIONS, name)))
    .digest("hex")

it("numbered migrations are all listed, and none changed", async () => {
  const found = (await numberedNames()).map(name => [name, hashOf(name)])
  assert.deepStrictEqual(Object.fromEntries(found), released.numbered)
})

it("a function that changed has a higher edition", async () => {
  const known = new Map(Object.entries(released.functions))
  const changed = (await Effect.runPromise(functionFiles(MIGRATIONS))).filter(({ name, edition, hash }) => {
    const listed = known.get(name) ?? { edition: 0, hash: "" }
    return edition < listed.edition || (edition === listed.edition && hash !== listed.hash)
  })
  assert.deepStrictEqual(
    changed.map(({ name }) => name),
    []
  )
})
