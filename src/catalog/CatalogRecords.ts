/** The catalog's answers, made from the index. */
import { type Abi, canonicalSignature, functionsOf, isRead, selectorOfEntry } from "./Abi.ts"
import type { CatalogIndex, Deployment } from "./CatalogIndex.ts"
import type {
  CatalogProvenance,
  ContractDeployments,
  ContractDetail,
  ContractItem,
  ContractVariant,
  MethodRecord
} from "./CatalogSchemas.ts"
import { CLONE_FAMILIES } from "./CloneFamilies.ts"
import type { ContractRow } from "./Inventory.ts"
import { methodSchema } from "./MethodSchemas.ts"

/** Only a deployable contract with a known interface can be read or planned against. */
export const isExecutable = (contract: ContractRow): boolean =>
  contract.category === "contract" && contract.abiHash !== null

export const methodRecords = (abi: Abi): ReadonlyArray<MethodRecord> =>
  functionsOf(abi)
    .map(
      (entry): MethodRecord => ({
        signature: canonicalSignature(entry),
        selector: selectorOfEntry(entry),
        name: entry.name,
        stateMutability: entry.stateMutability,
        kind: isRead(entry) ? "read" : "write",
        inputs: entry.inputs,
        outputs: entry.outputs,
        inputJsonSchema: methodSchema(entry.inputs, "input"),
        outputJsonSchema: methodSchema(entry.outputs, "output")
      })
    )
    .sort((a, b) => (a.signature < b.signature ? -1 : 1))

const onChain = (deployments: ReadonlyArray<Deployment>, chainId: number) =>
  deployments.filter(row => row.chainId === chainId)

const status = (instances: ReadonlyArray<unknown>) => (instances.length === 0 ? "missing" : "published")

export const contractItem = (index: CatalogIndex, contract: ContractRow): ContractItem => {
  const functions = functionsOf(index.variantsOf(contract)[0]?.abi ?? [])
  const read = functions.filter(isRead).length
  const deployments = index.deploymentsOf(contract.id)
  return {
    id: contract.id,
    name: contract.name,
    packageId: contract.packageId,
    category: contract.category,
    executable: isExecutable(contract),
    methodCounts: { read, write: functions.length - read },
    chains: index.chains.map(chainId => {
      const instances = onChain(deployments, chainId)
      return {
        chainId,
        status: status(instances),
        addresses: instances.map(({ address }) => address),
        instances: instances.map(({ address, retired, generation }) => ({ address, retired, generation }))
      }
    })
  }
}

const contractDeployments = (
  index: CatalogIndex,
  contract: ContractRow
): ReadonlyArray<ContractDeployments> =>
  index.chains.map(chainId => {
    const instances = onChain(index.deploymentsOf(contract.id), chainId)
    return {
      chainId,
      status: status(instances),
      instances: instances.map(row => ({
        address: row.address,
        alias: row.alias,
        abiHash: row.abiHash,
        retired: row.retired,
        generation: row.generation,
        clone: row.clone,
        source: row.source,
        receipt: row.receipt && {
          transactionHash: row.receipt.transactionHash,
          blockNumber: row.receipt.blockNumber
        },
        constructorArguments: row.constructorArguments,
        runtimeCodeHash: row.runtimeCodeHash
      }))
    }
  })

export const catalogProvenance = (
  { inventory }: CatalogIndex,
  overlayChains: ReadonlyArray<number>
): CatalogProvenance => ({
  repository: inventory.manifest.repository,
  commit: inventory.manifest.commit,
  inventoryHash: inventory.manifest.inventoryHash,
  overlays: overlayChains.map(chainId => ({ chainId, kind: "sandbox" }))
})

export const contractDetail = (
  index: CatalogIndex,
  contract: ContractRow,
  provenance: CatalogProvenance,
  methodsOf: (abiHash: string) => ReadonlyArray<MethodRecord>
): ContractDetail => {
  const variants = index.variantsOf(contract).map(
    ({ abiHash, usage, abi, origin, packageVersions }): ContractVariant => ({
      abiHash,
      usage,
      abi,
      methods: methodsOf(abiHash),
      provenance: { origin, packageVersions }
    })
  )
  const [standard] = variants
  return {
    protocolVersion: 6,
    provenance,
    id: contract.id,
    packageId: contract.packageId,
    packageVersion: contract.version,
    sourcePath: contract.sourcePath,
    name: contract.name,
    category: contract.category,
    executable: isExecutable(contract),
    abi: standard?.abi ?? null,
    abiHash: standard?.abiHash ?? null,
    methods: standard?.methods ?? [],
    variants,
    deployments: contractDeployments(index, contract),
    cloneFamilies: CLONE_FAMILIES.filter(
      family => family.implementation === contract.id || family.factory === contract.id
    )
  }
}
