/** The second form: official deployment artifacts, which replace the deployments of the present inventory on their chains. */
import { readdir, readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { Effect, Schema } from "effect"
import { Abi, canonicalAbiText, sha256 } from "../../src/catalog/Abi.ts"
import type { ContractRow, DeploymentRow } from "../../src/catalog/Inventory.ts"
import { type Inventory, loadInventory } from "../../src/catalog/LoadInventory.ts"
import { Address, Bytes32 } from "../../src/values/Scalars.ts"
import type { Content } from "./Content.ts"

const Count = Schema.transform(Schema.Union(Schema.String, Schema.Number), Schema.NonNegativeInt, {
  strict: true,
  decode: Number,
  encode: value => value
})

const Artifact = Schema.Struct({
  address: Address,
  sourceName: Schema.NonEmptyString,
  contractName: Schema.NonEmptyString,
  chainId: Count,
  abi: Abi,
  args: Schema.optionalWith(Schema.Array(Schema.Unknown), { default: () => [] }),
  receipt: Schema.Struct({ transactionHash: Bytes32, blockNumber: Count })
})

interface Published {
  readonly alias: string
  readonly artifact: typeof Artifact.Type
}

const readArtifacts = async (directory: string): Promise<ReadonlyArray<Published>> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile() && entry.name.endsWith(".json"))
  return Promise.all(
    files.map(async entry => ({
      alias: basename(entry.name, ".json"),
      artifact: Schema.decodeUnknownSync(Schema.parseJson(Artifact))(
        await readFile(join(entry.parentPath, entry.name), "utf8")
      )
    }))
  )
}

const contractOf = (base: Inventory, { artifact }: Published): ContractRow => {
  const source = artifact.sourceName.replace(/^(?:.*\/)?node_modules\//, "")
  const named = base.contracts.filter(row => row.name === artifact.contractName)
  const qualified = named.find(row => source === `${row.packageId}/${row.sourcePath}`)
  const bare = named.filter(row => row.sourcePath === source)
  const found = qualified ?? (bare.length === 1 ? bare[0] : undefined)
  if (found !== undefined) return found
  const owner = base.packages.find(row => source.startsWith(`${row.id}/`))
  if (owner === undefined)
    throw new Error(`no single package for ${artifact.sourceName}:${artifact.contractName}`)
  const sourcePath = source.slice(owner.id.length + 1)
  return {
    id: `${owner.id}:${sourcePath}:${artifact.contractName}`,
    packageId: owner.id,
    version: owner.version,
    sourcePath,
    name: artifact.contractName,
    category: "contract",
    abiHash: null,
    abiOrigin: "published"
  }
}

const LONG_TEXT = 128

const constructorArguments = ({ abi, args }: typeof Artifact.Type): ReadonlyArray<unknown> => {
  const inputs = abi.find(entry => entry.type === "constructor")?.inputs ?? []
  return inputs.map(({ name, type }, index) => {
    const value = args[index] ?? null
    const long = type === "string" && typeof value === "string" && value.length > LONG_TEXT
    return { name, type, value: long ? { omitted: "text", length: value.length } : value }
  })
}

const generationOf = (alias: string) =>
  alias.endsWith("_deprecated2") ? "previous" : alias.endsWith("_deprecated") ? "v1" : "current"

const deploymentOf = (base: Inventory, contractId: string, published: Published): DeploymentRow => {
  const { alias, artifact } = published
  const abiHash = sha256(canonicalAbiText(artifact.abi))
  const generation = generationOf(alias)
  const known = base.deployments.find(
    row => row.chainId === artifact.chainId && row.address === artifact.address && row.abiHash === abiHash
  )
  return {
    chainId: artifact.chainId,
    alias,
    contractId,
    packageVersion: known?.packageVersion ?? null,
    address: artifact.address,
    abiHash,
    retired: generation !== "current",
    generation,
    clone: known?.clone ?? false,
    label: /__(\w+?)(?:_deprecated2?)?$/.exec(alias)?.[1] ?? null,
    compiler: known?.compiler ?? null,
    receipt: { ...artifact.receipt, timestamp: known?.receipt?.timestamp ?? null },
    constructorArguments: constructorArguments(artifact),
    runtimeCodeHash: known?.runtimeCodeHash ?? null
  }
}

export const artifactsContent = async (
  directory: string,
  present: string,
  source: { readonly repository: string | null; readonly commit: string | null }
): Promise<Content> => {
  const base = await Effect.runPromise(loadInventory(present))
  const published = await readArtifacts(join(directory, "deployments"))
  const chains = new Set(published.map(({ artifact }) => artifact.chainId))
  const contracts = new Map(base.contracts.map(row => [row.id, row]))
  const deployments = base.deployments.filter(row => !chains.has(row.chainId))
  const abis = new Set([...base.abis.values()].map(canonicalAbiText))
  for (const item of published) {
    const contract = contractOf(base, item)
    const row = deploymentOf(base, contract.id, item)
    deployments.push(row)
    abis.add(canonicalAbiText(item.artifact.abi))
    if (!row.retired)
      contracts.set(contract.id, { ...contract, abiHash: row.abiHash, abiOrigin: "published" })
  }
  return {
    ...source,
    chains: [...new Set([...base.manifest.chains, ...chains])],
    packages: base.packages,
    contracts: [...contracts.values()],
    deployments,
    exclusions: base.exclusions,
    abis
  }
}
