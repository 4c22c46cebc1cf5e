import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, it } from "vitest"

const ARTIFACTS = "sandbox/artifacts"
const COMPILE_MILLIS = 900_000
let parent: string

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "artifacts-"))
})

afterAll(() => rm(parent, { recursive: true }))

/** In a process of its own, because the compiler lets nothing else happen for a minute or more. */
const compileInto = (directory: string) =>
  promisify(execFile)(process.execPath, ["scripts/run.mjs", "sandbox/compile.ts", "--into", directory])

it(
  "holds exactly what the sources compile to",
  async () => {
    const compiled = join(parent, "compiled")
    await compileInto(compiled)
    const names = (await readdir(compiled)).sort()
    assert.deepEqual((await readdir(ARTIFACTS)).sort(), names)
    for (const name of names) {
      const texts = await Promise.all([compiled, ARTIFACTS].map(from => readFile(join(from, name), "utf8")))
      assert.isTrue(texts[0] === texts[1], `${name} was not compiled from its source`)
    }
  },
  COMPILE_MILLIS
)
