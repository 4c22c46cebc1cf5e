/** Temporary copies of the pinned inventory to damage, and small inventories of a test's own. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { type Content, writeContent } from "../../../scripts/inventory/Content.ts"
import { canonicalAbiText, sha256 } from "../../../src/catalog/Abi.ts"
import { Catalog } from "../../../src/catalog/Catalog.ts"

export const PINNED = "schema/protocol"

export const catalogOver = (directory: string = PINNED, overlays: ReadonlyArray<string> = []) =>
  Catalog.layer({ directory, overlays })

export const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "catalog-"))),
  directory => Effect.promise(() => rm(directory, { recursive: true, force: true }))
)

export const pinnedCopy = Effect.tap(temporaryDirectory, directory =>
  Effect.promise(() => cp(PINNED, directory, { recursive: true }))
)

export const rewrite = (path: string, change: (text: string) => string) =>
  Effect.promise(async () => writeFile(path, change(await readFile(path, "utf8"))))

export const writeJson = (path: string, value: unknown) =>
  Effect.promise(() => writeFile(path, JSON.stringify(value)))

const fn = (name: string, type = "uint256") => ({
  type: "function",
  name,
  inputs: [],
  outputs: [{ name: "", type }],
  stateMutability: "view"
})

/** One contract whose published ABI is older than the ABI of its newest source. */
export const OLDER_ABI = [fn("published")]
export const RETIRED_ABI = [fn("retired")]
export const SOURCE_ABI = [fn("published"), fn("unreleased")]
export const SMALL_CONTRACT = "small:src/Vault.sol:Vault"

const textOf = (abi: ReadonlyArray<unknown>) => canonicalAbiText(abi)
export const hashOf = (abi: ReadonlyArray<unknown>) => sha256(textOf(abi))

const deployment = (
  alias: string,
  abi: ReadonlyArray<unknown>,
  address: `0x${string}`,
  timestamp: number
): Content["deployments"][number] => ({
  chainId: 1,
  alias,
  contractId: SMALL_CONTRACT,
  packageVersion: "1.0.0",
  address,
  abiHash: hashOf(abi),
  retired: alias.endsWith("_deprecated"),
  generation: alias.endsWith("_deprecated") ? "v1" : "current",
  clone: false,
  label: null,
  compiler: null,
  receipt: { transactionHash: `0x${"11".repeat(32)}`, blockNumber: 7, timestamp },
  constructorArguments: null,
  runtimeCodeHash: null
})

const SMALL: Content = {
  repository: "example/manifest",
  commit: "abc",
  chains: [1],
  packages: [{ id: "small", version: "2.0.0", repository: null, commit: null, category: "protocol" }],
  contracts: [
    {
      id: SMALL_CONTRACT,
      packageId: "small",
      version: "2.0.0",
      sourcePath: "src/Vault.sol",
      name: "Vault",
      category: "contract",
      abiHash: hashOf(SOURCE_ABI),
      abiOrigin: "source"
    }
  ],
  deployments: [
    deployment("Vault_deprecated", RETIRED_ABI, `0x${"22".repeat(20)}`, 900),
    deployment("Vault", OLDER_ABI, `0x${"33".repeat(20)}`, 500)
  ],
  exclusions: [{ path: "small/src/archive/Old.sol", reason: "archived-source" }],
  abis: new Set([OLDER_ABI, SOURCE_ABI, RETIRED_ABI].map(textOf))
}

export const smallInventory = Effect.tap(temporaryDirectory, directory =>
  Effect.promise(() => writeContent(directory, SMALL))
)
