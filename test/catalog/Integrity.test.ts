import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { canonicalAbiText, sha256 } from "../../src/catalog/Abi.ts"
import { Catalog } from "../../src/catalog/Catalog.ts"
import { DATA_FILES } from "../../src/catalog/Inventory.ts"
import { loadInventory } from "../../src/catalog/LoadInventory.ts"
import {
  catalogOver,
  hashOf,
  OLDER_ABI,
  PINNED,
  pinnedCopy,
  RETIRED_ABI,
  rewrite,
  SMALL_CONTRACT,
  SOURCE_ABI,
  smallInventory,
  temporaryDirectory,
  writeJson
} from "./support/Inventories.ts"

const refusalOf = (directory: string, overlays: ReadonlyArray<string> = []) =>
  Effect.flip(Effect.scoped(Layer.build(catalogOver(directory, overlays))))

const within = <A, E>(
  directory: string,
  use: Effect.Effect<A, E, Catalog>,
  overlays: ReadonlyArray<string> = []
) => Effect.provide(use, catalogOver(directory, overlays))

describe("catalog integrity", () => {
  it.scoped("names ABIs by the hash of their sorted entries", () =>
    Effect.gen(function* () {
      const text = yield* Effect.promise(() => readFile(join(PINNED, "abis.ndjson"), "utf8"))
      for (const line of text.trimEnd().split("\n")) {
        const entries: ReadonlyArray<unknown> = JSON.parse(line)
        assert.strictEqual(sha256(canonicalAbiText([...entries].reverse())), sha256(line))
      }
    })
  )

  it.scoped("refuses to start when any pinned file differs by one byte", () =>
    Effect.gen(function* () {
      for (const file of DATA_FILES) {
        const directory = yield* pinnedCopy
        yield* rewrite(join(directory, file), text => `${text} `)
        const refusal = yield* refusalOf(directory)
        assert.strictEqual(refusal._tag, "CATALOG_INTEGRITY")
        assert.deepStrictEqual(refusal.context, { file })
      }
    })
  )

  it.scoped("is read once for all that run in one process, wherever the same files lie", () =>
    Effect.gen(function* () {
      const directory = yield* pinnedCopy
      const read = yield* loadInventory(PINNED)
      assert.strictEqual(yield* loadInventory(directory), read)
      yield* rewrite(join(directory, "abis.ndjson"), text => `${text} `)
      assert.strictEqual((yield* Effect.flip(loadInventory(directory)))._tag, "CATALOG_INTEGRITY")
    })
  )

  it.scoped("refuses a manifest that was edited or is gone", () =>
    Effect.gen(function* () {
      const directory = yield* pinnedCopy
      yield* rewrite(join(directory, "manifest.json"), text =>
        text.replace('"commit": null', '"commit": "other"')
      )
      assert.deepStrictEqual((yield* refusalOf(directory)).context, { file: "manifest.json" })
      yield* Effect.promise(() => rm(join(directory, "manifest.json")))
      assert.deepStrictEqual((yield* refusalOf(directory)).context, { file: "manifest.json" })
    })
  )

  it.scoped("prefers a published ABI over a newer source and the current over the retired", () =>
    Effect.gen(function* () {
      const directory = yield* smallInventory
      const detail = yield* within(
        directory,
        Effect.flatMap(Catalog, catalog => catalog.contract(SMALL_CONTRACT))
      )
      assert.deepStrictEqual(
        detail.variants.map(({ abiHash, usage }) => [abiHash, usage]),
        [
          [hashOf(OLDER_ABI), "published"],
          [hashOf(RETIRED_ABI), "published"],
          [hashOf(SOURCE_ABI), "source-only"]
        ]
      )
      assert.strictEqual(detail.abiHash, hashOf(OLDER_ABI))
      assert.deepInclude(detail.provenance, { repository: "example/manifest", commit: "abc" })
    })
  )
})

const TRANSACTION = `0x${"ab".repeat(32)}`
const overlay = (deployments: ReadonlyArray<Record<string, unknown>>) => ({
  chainId: 31337,
  seeded: { projectId: "1" },
  deployments: deployments.map(row => ({
    alias: "Vault",
    address: `0x${"44".repeat(20)}`,
    receipt: { transactionHash: TRANSACTION, blockNumber: 3 },
    constructorArguments: [],
    runtimeCodeHash: TRANSACTION,
    ...row
  }))
})

describe("sandbox overlays", () => {
  it.scoped("add a chain whose deployments are labelled and take the published ABI", () =>
    Effect.gen(function* () {
      const directory = yield* smallInventory
      const file = join(yield* temporaryDirectory, "sandbox.json")
      yield* writeJson(file, overlay([{ contractId: SMALL_CONTRACT }]))
      const use = Effect.gen(function* () {
        const catalog = yield* Catalog
        return { catalog, detail: yield* catalog.contract(SMALL_CONTRACT) }
      })
      const { catalog, detail } = yield* within(directory, use, [file])
      assert.deepStrictEqual(catalog.chains, [1, 31337])
      assert.deepStrictEqual(detail.provenance.overlays, [{ chainId: 31337, kind: "sandbox" }])
      assert.deepStrictEqual(
        detail.deployments.map(({ chainId, status, instances }) => [chainId, status, instances[0]?.source]),
        [
          [1, "published", "pinned"],
          [31337, "published", "sandbox"]
        ]
      )
      assert.strictEqual(catalog.deployments(31337, SMALL_CONTRACT)[0]?.abiHash, hashOf(OLDER_ABI))
      const plain = yield* within(
        directory,
        Effect.map(Catalog, ({ version }) => version)
      )
      assert.notStrictEqual(catalog.version, plain)
    })
  )

  it.scoped("are refused when they name what the catalog does not have", () =>
    Effect.gen(function* () {
      const directory = yield* smallInventory
      const file = join(yield* temporaryDirectory, "sandbox.json")
      for (const row of [{ contractId: "nobody" }, { contractId: SMALL_CONTRACT, abiHash: "0".repeat(64) }]) {
        yield* writeJson(file, overlay([row]))
        const refusal = yield* refusalOf(directory, [file])
        assert.strictEqual(refusal._tag, "CATALOG_INTEGRITY")
        assert.deepStrictEqual(refusal.context, { file })
      }
    })
  )
})
