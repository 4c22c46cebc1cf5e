/** The inventory and its overlays as the lookups that every catalog question needs. */
import { Effect } from "effect"
import type { Address } from "../values/Scalars.ts"
import type { Abi } from "./Abi.ts"
import { deepFreeze } from "./Freeze.ts"
import type { ContractRow, DeploymentRow, OverlayManifest } from "./Inventory.ts"
import type { Inventory } from "./LoadInventory.ts"
import { CatalogIntegrity, OverlayUnusable } from "./refusals.ts"

export interface Deployment extends DeploymentRow {
  readonly source: "pinned" | "sandbox"
}

export interface Overlay {
  readonly file: string
  readonly manifest: OverlayManifest
}

interface Variant {
  readonly abiHash: string
  readonly usage: "published" | "source-only"
  readonly abi: Abi
  readonly origin: ContractRow["abiOrigin"]
  readonly packageVersions: ReadonlyArray<string>
}

export interface CatalogIndex {
  readonly inventory: Inventory
  readonly chains: ReadonlyArray<number>
  readonly contracts: ReadonlyMap<string, ContractRow>
  /** Current before retired, newest before older, then by alias. */
  readonly deploymentsOf: (contractId: string) => ReadonlyArray<Deployment>
  readonly deploymentAt: (chainId: number, address: Address) => Deployment | undefined
  /** The default variant first. */
  readonly variantsOf: (contract: ContractRow) => ReadonlyArray<Variant>
}

const NONE: ReadonlyArray<Deployment> = []

const age = (deployment: Deployment) => -(deployment.receipt?.timestamp ?? 0)

const byPreference = (a: Deployment, b: Deployment) =>
  Number(a.retired) - Number(b.retired) || age(a) - age(b) || (a.alias < b.alias ? -1 : 1)

const damaged = (file: string, detail: string) => new CatalogIntegrity({ detail, context: { file } })

const publishedAbi = (inventory: Inventory, contract: ContractRow): string | null =>
  inventory.deployments
    .filter(row => row.contractId === contract.id)
    .map(row => ({ ...row, source: "pinned" as const }))
    .sort(byPreference)[0]?.abiHash ?? contract.abiHash

const overlayRows = Effect.fn("CatalogIndex.overlay")(function* (inventory: Inventory, overlay: Overlay) {
  const { chainId, deployments } = overlay.manifest
  const rows: Array<Deployment> = []
  for (const row of deployments) {
    const contract = inventory.contracts.find(({ id }) => id === row.contractId)
    if (contract === undefined)
      return yield* new OverlayUnusable(overlay.file, `whose ${row.contractId} is not in the catalog`)
    const abiHash = row.abiHash ?? publishedAbi(inventory, contract)
    if (abiHash === null)
      return yield* new OverlayUnusable(overlay.file, `whose ${row.contractId} has no ABI`)
    rows.push({
      ...row,
      chainId,
      abiHash,
      packageVersion: contract.version,
      retired: false,
      generation: "current",
      clone: false,
      label: null,
      compiler: null,
      receipt: { ...row.receipt, timestamp: null },
      source: "sandbox"
    })
  }
  return rows
})

const groupBy = <A>(items: ReadonlyArray<A>, key: (item: A) => string): ReadonlyMap<string, Array<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group === undefined) groups.set(key(item), [item])
    else group.push(item)
  }
  return groups
}

const variants = (
  inventory: Inventory,
  contract: ContractRow,
  deployments: ReadonlyArray<Deployment>
): ReadonlyArray<Variant> => {
  const used = groupBy(deployments, row => row.abiHash)
  const hashes = [...used.keys(), ...(contract.abiHash === null ? [] : [contract.abiHash])]
  return [...new Set(hashes)].flatMap(abiHash => {
    const abi = inventory.abis.get(abiHash)
    const rows = used.get(abiHash)
    if (abi === undefined) return []
    const versions = rows === undefined ? [contract.version] : rows.map(row => row.packageVersion)
    return [
      {
        abiHash,
        abi,
        usage: rows === undefined ? ("source-only" as const) : ("published" as const),
        origin: rows === undefined ? contract.abiOrigin : ("published" as const),
        packageVersions: [...new Set(versions.filter(version => version !== null))]
      }
    ]
  })
}

/** Every row must rest on an ABI and a contract that the inventory has. */
const assertWhole = (inventory: Inventory, deployments: ReadonlyArray<Deployment>, overlays: string) => {
  const ids = new Set(inventory.contracts.map(({ id }) => id))
  const orphan = inventory.contracts.find(row => row.abiHash !== null && !inventory.abis.has(row.abiHash))
  if (orphan !== undefined) return damaged("contracts.json", `The ABI of ${orphan.id} is not pinned.`)
  const stray = deployments.find(row => !ids.has(row.contractId) || !inventory.abis.has(row.abiHash))
  if (stray === undefined) return Effect.void
  return stray.source === "sandbox"
    ? new OverlayUnusable(overlays, `where the ABI of ${stray.alias} is not a pinned one`)
    : damaged("deployments.json", `The contract or the ABI of ${stray.alias} is not pinned.`)
}

export const indexCatalog = Effect.fn("CatalogIndex.build")(function* (
  inventory: Inventory,
  overlays: ReadonlyArray<Overlay>
) {
  const added = yield* Effect.forEach(overlays, overlay => overlayRows(inventory, overlay))
  const pinned = inventory.deployments.map(row => ({ ...row, source: "pinned" as const }))
  const deployments = deepFreeze<ReadonlyArray<Deployment>>([...pinned, ...added.flat()].sort(byPreference))
  yield* assertWhole(inventory, deployments, overlays.map(({ file }) => file).join(", "))
  const byContract = groupBy(deployments, row => row.contractId)
  const byAddress = new Map(deployments.map(row => [`${row.chainId}:${row.address}`, row]))
  const deploymentsOf = (contractId: string) => byContract.get(contractId) ?? NONE
  const index: CatalogIndex = {
    inventory,
    chains: [
      ...new Set([
        ...inventory.manifest.chains,
        ...overlays.map(({ manifest }) => manifest.chainId),
        ...inventory.deployments.map(({ chainId }) => chainId)
      ])
    ],
    contracts: new Map(inventory.contracts.map(row => [row.id, row])),
    deploymentsOf,
    deploymentAt: (chainId, address) => byAddress.get(`${chainId}:${address}`),
    variantsOf: contract => variants(inventory, contract, deploymentsOf(contract.id))
  }
  return index
})
