/** The pinned contracts: loaded and verified once at start, immutable, never fetched. */
import { Context, Effect, Layer, Option } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { lasting } from "../values/Conforms.ts"
import type { Address } from "../values/Scalars.ts"
import { type Abi, type AbiFunction, canonicalSignature, functionsOf, sha256 } from "./Abi.ts"
import { type AddedContract, withContracts } from "./AddedContracts.ts"
import { type CatalogIndex, type Deployment, indexCatalog, type Overlay } from "./CatalogIndex.ts"
import {
  catalogProvenance,
  contractDetail,
  contractItem,
  isExecutable,
  methodRecords
} from "./CatalogRecords.ts"
import type {
  CatalogProvenance,
  ContractDetail,
  ContractItem,
  ContractsPage,
  ContractsQuery,
  MethodQuery,
  MethodRecord
} from "./CatalogSchemas.ts"
import { deepFreeze } from "./Freeze.ts"
import type { ContractRow } from "./Inventory.ts"
import { loadInventory, loadOverlay } from "./LoadInventory.ts"
import {
  AbiNotFound,
  CatalogFilterInvalid,
  type CatalogIntegrity,
  ContractNotFound,
  MethodNotFound
} from "./refusals.ts"

interface CatalogOptions {
  readonly directory: string
  /** Deployment manifests of sandbox chains. */
  readonly overlays?: ReadonlyArray<string>
  /** Of a team. */
  readonly contracts?: ReadonlyArray<AddedContract>
}

interface CatalogContract extends ContractRow {
  readonly executable: boolean
}

export interface CatalogShape {
  /** Names the whole content, so an answer may be cached for as long as this stays. */
  readonly version: string
  readonly chains: ReadonlyArray<number>
  readonly provenance: CatalogProvenance
  readonly contracts: (query: ContractsQuery) => Effect.Effect<ContractsPage, CatalogFilterInvalid>
  readonly contract: (id: string) => Effect.Effect<ContractDetail, ContractNotFound>
  readonly method: (
    query: MethodQuery
  ) => Effect.Effect<MethodRecord, ContractNotFound | AbiNotFound | MethodNotFound>
  readonly declaration: (id: string) => Effect.Effect<CatalogContract, ContractNotFound>
  /** Published deployments on a chain: current before retired, newest first. */
  readonly deployments: (chainId: number, contractId: string) => ReadonlyArray<Deployment>
  readonly deploymentAt: (chainId: number, address: Address) => Option.Option<Deployment>
  readonly abi: (abiHash: string) => Effect.Effect<Abi, AbiNotFound>
  /** By full canonical signature, tuples expanded. */
  readonly functions: (abiHash: string) => Effect.Effect<ReadonlyMap<string, AbiFunction>, AbiNotFound>
}

const memoized = <K, A>(make: (key: K) => A) => {
  const known = new Map<K, A>()
  return (key: K): A => {
    const value = known.get(key) ?? make(key)
    known.set(key, value)
    return value
  }
}

const notFound = (id: string) =>
  new ContractNotFound({ detail: "The catalog has no contract with this id.", context: { contractId: id } })

const invalid = (parameter: string, detail: string, allowed: Iterable<string | number>) =>
  new CatalogFilterInvalid({ detail, context: { parameter, allowed: [...allowed] } })

const matches = (query: ContractsQuery, item: ContractItem): boolean =>
  (query.packageId === undefined || item.packageId === query.packageId) &&
  (query.category === undefined || item.category === query.category) &&
  (!query.executableOnly || item.executable) &&
  (!query.deployedOnly || item.chains.some(chain => chain.status === "published"))

const onChain = (items: ReadonlyArray<ContractItem>, chainId: number): ReadonlyArray<ContractItem> =>
  items.map(item =>
    lasting(deepFreeze({ ...item, chains: item.chains.filter(chain => chain.chainId === chainId) }))
  )

const listing = (index: CatalogIndex, provenance: CatalogProvenance) => {
  const { packages, exclusions, contracts } = index.inventory
  const items = contracts.map(contract => lasting(deepFreeze(contractItem(index, contract))))
  const packageIds = new Set(packages.map(({ id }) => id))
  const itemsOn = memoized((chainId: number) => onChain(items, chainId))
  for (const list of [packages, exclusions]) for (const row of list) lasting(row)
  return Effect.fn("Catalog.contracts")(function* (query: ContractsQuery) {
    if (query.packageId !== undefined && !packageIds.has(query.packageId)) {
      return yield* invalid("packageId", "The catalog lists no such package.", packageIds)
    }
    const { chainId } = query
    if (chainId !== undefined && !index.chains.includes(chainId))
      return yield* invalid("chainId", "The catalog lists no such chain.", index.chains)
    const pool = chainId === undefined ? items : itemsOn(chainId)
    const found = pool.filter(item => matches(query, item))
    const end = query.offset + query.limit
    const page: ContractsPage = {
      protocolVersion: 6,
      provenance,
      packages,
      exclusions,
      items: found.slice(query.offset, end),
      total: found.length,
      nextOffset: end < found.length ? end : null
    }
    return page
  })
}

const methodLookup = (index: CatalogIndex, methodsOf: (abiHash: string) => ReadonlyArray<MethodRecord>) =>
  Effect.fn("Catalog.method")(function* ({ contractId, signature, abiHash }: MethodQuery) {
    const contract = index.contracts.get(contractId)
    if (contract === undefined) return yield* notFound(contractId)
    const variants = index.variantsOf(contract)
    const variant = abiHash === undefined ? variants[0] : variants.find(item => item.abiHash === abiHash)
    if (variant === undefined) {
      return yield* new AbiNotFound({
        detail: "The contract has no variant with this ABI hash.",
        context: { abiHashes: variants.map(item => item.abiHash) }
      })
    }
    const method = methodsOf(variant.abiHash).find(record => record.signature === signature)
    if (method !== undefined) return method
    return yield* new MethodNotFound({
      detail: "The ABI has no method with this full canonical signature.",
      context: { contractId, abiHash: variant.abiHash, signature }
    })
  })

const bySignature = (abi: Abi): ReadonlyMap<string, AbiFunction> =>
  new Map(functionsOf(abi).map(entry => [canonicalSignature(entry), entry]))

const make = (
  index: CatalogIndex,
  overlays: ReadonlyArray<Overlay>,
  added: ReadonlyArray<AddedContract>
): CatalogShape => {
  const { abis } = index.inventory
  const provenance = catalogProvenance(
    index,
    overlays.map(({ manifest }) => manifest.chainId)
  )
  const abi = (abiHash: string) =>
    Effect.mapError(Effect.fromNullable(abis.get(abiHash)), () => new AbiNotFound({ context: { abiHash } }))
  const declared = (id: string) =>
    Effect.mapError(Effect.fromNullable(index.contracts.get(id)), () => notFound(id))
  const methodsOf = memoized((abiHash: string) => deepFreeze(methodRecords(abis.get(abiHash) ?? [])))
  const detailOf = memoized((contract: ContractRow) =>
    lasting(deepFreeze(contractDetail(index, contract, provenance, methodsOf)))
  )
  const functionsByHash = memoized((abiHash: string) => bySignature(abis.get(abiHash) ?? []))
  return {
    version: sha256(
      canonicalJson([provenance, overlays.map(({ manifest }) => manifest.deployments), ...added])
    ),
    chains: index.chains,
    provenance,
    contracts: listing(index, provenance),
    contract: Effect.fn("Catalog.contract")(function* (id: string) {
      return detailOf(yield* declared(id))
    }),
    method: methodLookup(index, methodsOf),
    declaration: id =>
      Effect.map(declared(id), contract => ({ ...contract, executable: isExecutable(contract) })),
    deployments: (chainId, contractId) =>
      index.deploymentsOf(contractId).filter(row => row.chainId === chainId),
    deploymentAt: (chainId, address) => Option.fromNullable(index.deploymentAt(chainId, address)),
    abi,
    functions: abiHash => Effect.map(abi(abiHash), () => functionsByHash(abiHash))
  }
}

const load = Effect.fn("Catalog.load")(function* ({
  directory,
  overlays = [],
  contracts = []
}: CatalogOptions) {
  const loaded = yield* Effect.forEach(overlays, file =>
    Effect.map(loadOverlay(file), manifest => ({ file, manifest: deepFreeze(manifest) }))
  )
  const placed = loaded.flatMap(({ manifest: { chainId, deployments } }) =>
    deployments.map(({ contractId, address }) => ({ chainId, contractId, address }))
  )
  const inventory = yield* withContracts(yield* loadInventory(directory), contracts, placed)
  deepFreeze(inventory)
  for (const abi of inventory.abis.values()) deepFreeze(abi)
  return make(yield* indexCatalog(inventory, loaded), loaded, contracts)
})

export class Catalog extends Context.Tag("catalog/Catalog")<Catalog, CatalogShape>() {
  static readonly layer = (options: CatalogOptions): Layer.Layer<Catalog, CatalogIntegrity> =>
    Layer.effect(Catalog, load(options))
}
