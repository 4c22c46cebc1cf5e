import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, it } from "vitest"
import { compileSource, contractName, type Recorded, recordedAs, sources } from "../../sandbox/compilation.ts"

const ARTIFACTS = "sandbox/artifacts"
/** By each of the compiler's two pipelines; the others would take minutes. */
const COMPILED_ANEW = ["PrepaidPayments.sol", "programs/DependentCalls.sol", "programs/PackedCalls.sol"]

const record: Record<string, Recorded> = JSON.parse(await readFile("sandbox/artifacts.json", "utf8"))

const artifactOf = (source: string) => readFile(join(ARTIFACTS, `${contractName(source)}.json`), "utf8")

it("has a record of each source as it is, and of what was compiled from it", async () => {
  assert.deepEqual(Object.keys(record), [...sources()])
  for (const [source, recorded] of Object.entries(record)) {
    const artifact = recorded.artifact === null ? undefined : await artifactOf(source)
    assert.deepEqual(
      recordedAs(source, { reads: recorded.reads, artifact }),
      recorded,
      `${source}, what it imports or its artifact changed: npm run sandbox:compile`
    )
  }
})

it("holds no artifact that has no source", async () => {
  const withCode = Object.keys(record).filter(source => record[source]?.artifact !== null)
  const expected = withCode.map(source => `${contractName(source)}.json`).sort()
  assert.deepEqual((await readdir(ARTIFACTS)).sort(), expected)
})

it.each(COMPILED_ANEW)("is what %s compiles to", { timeout: 120_000 }, async source => {
  const compilation = compileSource(source)
  assert.strictEqual(compilation.artifact, await artifactOf(source))
  assert.deepEqual(recordedAs(source, compilation), record[source])
})
