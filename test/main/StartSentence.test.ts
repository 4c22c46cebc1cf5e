/** A start that fails for a file of the operator's names that file, and does not send for another package. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { Catalog } from "../../src/catalog/Catalog.ts"
import { startSentence } from "../../src/main/StartSentence.ts"
import { RuntimePins } from "../../src/protocol/RuntimePins.ts"

const directory = await mkdtemp(join(tmpdir(), "sentence-"))

afterAll(() => rm(directory, { recursive: true }))

const sentenceOf = async <A, E>(layer: Layer.Layer<A, E>): Promise<string> =>
  startSentence(await Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(layer))))) ?? ""

const over = (file: string, pinned = "schema/protocol") =>
  sentenceOf(Catalog.layer({ directory: pinned, overlays: [file] }))

const holding = async (name: string, value: unknown): Promise<string> => {
  const file = join(directory, name)
  await writeFile(file, JSON.stringify(value))
  return file
}

const row = {
  contractId: "nobody",
  alias: "Vault",
  address: `0x${"44".repeat(20)}`,
  receipt: { transactionHash: `0x${"ab".repeat(32)}`, blockNumber: 3 },
  runtimeCodeHash: null
}

describe("a start for which", () => {
  it("the manifest of a sandbox deployment is not there names the setting", async () => {
    const file = join(directory, "absent.json")
    assert.strictEqual(
      await over(file),
      `SERVICE_SANDBOX_MANIFEST names ${file}, which cannot be read (ENOENT).`
    )
  })

  it("that manifest has a fault names its place", async () => {
    const file = await holding("faulty.json", { chainId: 31337, deployments: [{ ...row, address: "0x1" }] })
    assert.strictEqual(
      await over(file),
      `SERVICE_SANDBOX_MANIFEST names ${file}, which does not hold the manifest of a sandbox deployment (look at deployments.0.address).`
    )
  })

  it("that manifest tells of what the catalog does not have names that", async () => {
    const file = await holding("stray.json", { chainId: 31337, deployments: [row] })
    assert.strictEqual(
      await over(file),
      `SERVICE_SANDBOX_MANIFEST names ${file}, whose nobody is not in the catalog.`
    )
  })

  it("the confirmed code hashes cannot be read names their file", async () => {
    const file = await holding("runtimes.json", { runtimes: [{}] })
    assert.match(
      await sentenceOf(RuntimePins.layer(file)),
      /^\S+runtimes\.json cannot be read as \{"runtimes"/
    )
  })

  it("the package's own catalog is damaged asks for another package", async () => {
    const file = await holding("whole.json", { chainId: 31337, deployments: [] })
    assert.match(
      await over(file, directory),
      /^The pinned catalog .*manifest\.json.*; reinstall the package\.$/
    )
  })
})
