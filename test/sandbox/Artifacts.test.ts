import { readdirSync, readFileSync } from "node:fs"
import { assert, it } from "vitest"
import { artifactText, compileSandbox } from "../../sandbox/compile.ts"

const artifacts = new URL("../../sandbox/artifacts/", import.meta.url)
const COMPILE_MILLIS = 300_000

it(
  "holds exactly what the sources compile to",
  () => {
    const compiled = compileSandbox()
    assert.deepEqual(
      readdirSync(artifacts).sort(),
      Object.keys(compiled)
        .map(name => `${name}.json`)
        .sort()
    )
    for (const [name, contract] of Object.entries(compiled)) {
      const committed = readFileSync(new URL(`${name}.json`, artifacts), "utf8")
      assert.isTrue(committed === artifactText(name, contract), `${name} was not compiled from its source`)
    }
  },
  COMPILE_MILLIS
)
