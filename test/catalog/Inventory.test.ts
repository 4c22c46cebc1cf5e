import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { artifactsContent } from "../../scripts/inventory/Artifacts.ts"
import { writeContent } from "../../scripts/inventory/Content.ts"
import { factsContent } from "../../scripts/inventory/Facts.ts"
import { Catalog } from "../../src/catalog/Catalog.ts"
import {
  catalogOver,
  hashOf,
  OLDER_ABI,
  SMALL_CONTRACT,
  SOURCE_ABI,
  smallInventory,
  temporaryDirectory,
  writeJson
} from "./support/Inventories.ts"

const SOURCE = { repository: "example/release", commit: "f00d" }
const TRANSACTION = `0x${"cd".repeat(32)}`
const ADDRESS = `0x${"55".repeat(20)}`

const contract = (sourcePath: string, abiHash: string | null, archived = false) => ({
  id: `small:${sourcePath}:Vault`,
  packageId: "small",
  version: "1.0.0",
  sourcePath,
  name: "Vault",
  category: "contract",
  abiHash,
  abiOrigin: abiHash === null ? "none" : "published",
  archived
})

const factsDirectory = Effect.tap(temporaryDirectory, directory =>
  Effect.gen(function* () {
    yield* Effect.promise(() => mkdir(join(directory, "abis")))
    yield* writeJson(join(directory, "abis", `${"a".repeat(64)}.json`), SOURCE_ABI)
    yield* writeJson(join(directory, "packages.json"), [
      {
        id: "small",
        version: "1.0.0",
        deployedVersions: ["1.0.0"],
        repository: "example/small",
        category: "protocol"
      }
    ])
    yield* writeJson(join(directory, "contracts.json"), [
      contract("src/Vault.sol", "a".repeat(64)),
      contract("src/archive/Vault.sol", null, true),
      contract("test/Vault.sol", null),
      contract("src/mocks/Vault.sol", null)
    ])
    yield* writeJson(join(directory, "deployments.json"), [
      {
        chainId: 10,
        alias: "Vault",
        contractId: SMALL_CONTRACT,
        packageVersion: "1.0.0",
        address: ADDRESS,
        abiHash: "a".repeat(64),
        retired: false,
        generation: "current",
        clone: false,
        label: null,
        compiler: "0.8.28",
        receipt: { transactionHash: TRANSACTION, blockNumber: 1, blockHash: TRANSACTION, timestamp: 2 },
        constructorArguments: [],
        runtimeCodeHash: null
      }
    ])
  })
)

describe("the inventory of collected facts", () => {
  it.scoped("recomputes ABI hashes, excludes by reason and comes out the same every time", () =>
    Effect.gen(function* () {
      const facts = yield* factsDirectory
      const content = yield* Effect.promise(() => factsContent(facts, SOURCE))
      const out = yield* temporaryDirectory
      const again = yield* temporaryDirectory
      const first = yield* Effect.promise(() => writeContent(out, content))
      assert.strictEqual(first, yield* Effect.promise(() => writeContent(again, content)))
      const use = Effect.gen(function* () {
        const catalog = yield* Catalog
        const page = yield* catalog.contracts({
          deployedOnly: true,
          executableOnly: true,
          offset: 0,
          limit: 9
        })
        return { page, detail: yield* catalog.contract(SMALL_CONTRACT) }
      })
      const { page, detail } = yield* Effect.provide(use, catalogOver(out))
      assert.strictEqual(detail.abiHash, hashOf(SOURCE_ABI))
      assert.strictEqual(page.total, 1)
      assert.deepStrictEqual(page.provenance, { ...SOURCE, inventoryHash: first, overlays: [] })
      assert.deepStrictEqual(
        page.exclusions.map(({ path, reason }) => [path, reason]),
        [
          ["small/src/archive/Vault.sol", "archived-source"],
          ["small/src/mocks/Vault.sol", "mock-source"],
          ["small/test/Vault.sol", "test-source"]
        ]
      )
    })
  )
})

const artifact = (chainId: number | string, abi: ReadonlyArray<unknown>, sourceName = "src/Vault.sol") => ({
  address: ADDRESS,
  sourceName,
  contractName: "Vault",
  chainId,
  abi: [
    ...abi,
    {
      type: "constructor",
      stateMutability: "nonpayable",
      inputs: [
        { name: "owner", type: "address" },
        { name: "art", type: "string" }
      ]
    }
  ],
  args: [ADDRESS, "x".repeat(200)],
  receipt: { transactionHash: TRANSACTION, blockNumber: "0x10" },
  bytecode: "0x00"
})

const adopt = Effect.fn("adopt")(function* (artifacts: Readonly<Record<string, unknown>>) {
  const present = yield* smallInventory
  const release = yield* temporaryDirectory
  for (const [path, value] of Object.entries(artifacts)) {
    const file = join(release, "deployments", path)
    yield* Effect.promise(() => mkdir(join(file, ".."), { recursive: true }))
    yield* writeJson(file, value)
  }
  const content = yield* Effect.promise(() => artifactsContent(release, present, SOURCE))
  yield* Effect.promise(() => writeContent(present, content))
  return yield* Effect.provide(
    Effect.flatMap(Catalog, catalog => catalog.contract(SMALL_CONTRACT)),
    catalogOver(present)
  )
})

describe("the inventory of deployment artifacts", () => {
  it.scoped("replaces the deployments of its chains and keeps the sources it does not speak of", () =>
    Effect.gen(function* () {
      const detail = yield* adopt({
        "mainnet/Vault.json": artifact(1, SOURCE_ABI),
        "mainnet/Vault_deprecated.json": { ...artifact("1", OLDER_ABI), address: `0x${"66".repeat(20)}` },
        "base/Vault__Two.json": artifact("0x2105", SOURCE_ABI, "node_modules/small/src/Vault.sol")
      })
      assert.deepStrictEqual(
        detail.deployments.map(({ chainId, instances }) => [
          chainId,
          instances.map(({ alias, retired, generation }) => [alias, retired, generation])
        ]),
        [
          [
            1,
            [
              ["Vault", false, "current"],
              ["Vault_deprecated", true, "v1"]
            ]
          ],
          [8453, [["Vault__Two", false, "current"]]]
        ]
      )
      const [instance] = detail.deployments[0]?.instances ?? []
      assert.strictEqual(instance?.receipt?.blockNumber, 16)
      assert.deepStrictEqual(instance?.constructorArguments, [
        { name: "owner", type: "address", value: ADDRESS },
        { name: "art", type: "string", value: { omitted: "text", length: 200 } }
      ])
      assert.strictEqual(detail.abiHash, hashOf(artifact(1, SOURCE_ABI).abi))
    })
  )

  it.scoped("adds contracts of a known package and refuses those of an unknown one", () =>
    Effect.gen(function* () {
      const added = yield* adopt({ "mainnet/Vault.json": artifact(1, OLDER_ABI) })
      assert.lengthOf(added.deployments, 1)
      const release = yield* temporaryDirectory
      yield* Effect.promise(() => mkdir(join(release, "deployments", "mainnet"), { recursive: true }))
      yield* writeJson(join(release, "deployments", "mainnet", "Other.json"), {
        ...artifact(1, OLDER_ABI, "src/Other.sol"),
        contractName: "Other"
      })
      const present = yield* smallInventory
      const failed = yield* Effect.either(Effect.tryPromise(() => artifactsContent(release, present, SOURCE)))
      assert.strictEqual(failed._tag, "Left")
      yield* writeJson(join(release, "deployments", "mainnet", "Other.json"), {
        ...artifact(1, OLDER_ABI, "small/src/Other.sol"),
        contractName: "Other"
      })
      const content = yield* Effect.promise(() => artifactsContent(release, present, SOURCE))
      assert.isTrue(content.contracts.some(({ id }) => id === "small:src/Other.sol:Other"))
    })
  )
})
