/** What an inventory consists of, and how it becomes files with hashes. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Schema } from "effect"
import { sha256 } from "../../src/catalog/Abi.ts"
import type { ContractRows, DeploymentRows, Exclusions, PackageRows } from "../../src/catalog/Inventory.ts"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"

export interface Content {
  readonly repository: string | null
  readonly commit: string | null
  readonly chains: ReadonlyArray<number>
  readonly packages: Schema.Schema.Type<typeof PackageRows>
  readonly contracts: Schema.Schema.Type<typeof ContractRows>
  readonly deployments: Schema.Schema.Type<typeof DeploymentRows>
  readonly exclusions: Schema.Schema.Type<typeof Exclusions>
  /** Canonical ABI texts. */
  readonly abis: ReadonlySet<string>
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const rows = <A>(items: ReadonlyArray<A>, key: (item: A) => string): string =>
  `[\n${[...items]
    .sort((a, b) => byText(key(a), key(b)))
    .map(item => JSON.stringify(item))
    .join(",\n")}\n]\n`

const filesOf = (content: Content) => ({
  "packages.json": rows(content.packages, item => item.id),
  "contracts.json": rows(content.contracts, item => item.id),
  "deployments.json": rows(
    content.deployments,
    item => `${String(item.chainId).padStart(16, "0")}:${item.alias}`
  ),
  "exclusions.json": rows(content.exclusions, item => item.path),
  "abis.ndjson": `${[...content.abis].sort().join("\n")}\n`
})

const manifestOf = (content: Content, files: Record<string, string>) => {
  const manifest = {
    protocolVersion: 6,
    repository: content.repository,
    commit: content.commit,
    chains: [...content.chains].sort((a, b) => a - b),
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, sha256(text)]))
  }
  return { ...manifest, inventoryHash: sha256(canonicalJson(manifest)) }
}

const assertWhole = (content: Content) => {
  const hashes = new Set([...content.abis].map(sha256))
  const contracts = new Set(content.contracts.map(row => row.id))
  const packages = new Set(content.packages.map(row => row.id))
  const broken = [
    ...content.contracts.filter(row => row.abiHash !== null && !hashes.has(row.abiHash)).map(row => row.id),
    ...content.contracts.filter(row => !packages.has(row.packageId)).map(row => row.id),
    ...content.deployments.filter(row => !hashes.has(row.abiHash)).map(row => row.alias),
    ...content.deployments.filter(row => !contracts.has(row.contractId)).map(row => row.alias)
  ]
  if (broken.length > 0) throw new Error(`rows without their ABI, package or contract: ${broken.join(", ")}`)
}

export const writeContent = async (directory: string, content: Content): Promise<string> => {
  assertWhole(content)
  const files = filesOf(content)
  const manifest = manifestOf(content, files)
  await mkdir(directory, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  await writeFile(join(directory, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
  return manifest.inventoryHash
}
