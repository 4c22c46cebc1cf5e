/** Contracts that a team adds to the pinned ones: theirs alone, under names that the inventory does not have. */
import { Either, ParseResult, Schema } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { Address, Bytes32, ChainId } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { Abi, canonicalAbiText, sha256 } from "./Abi.ts"
import { ConstructorArguments, type ContractRow, type DeploymentRow } from "./Inventory.ts"
import type { Inventory } from "./LoadInventory.ts"
import { CatalogIntegrity } from "./refusals.ts"

/** As compilers and deployments write it: its ABI is JSON, its address any spelling of one. */
export interface AddedContract {
  /** `<package>:<source path>:<name>`; plans call it by the name. */
  readonly id: string
  readonly version: string
  readonly abi: unknown
  readonly deployments: ReadonlyArray<{
    readonly chainId: number
    readonly address: string
    /** Where plans go to another one on its chain. */
    readonly retired?: boolean
    /** Absent where it is not known. */
    readonly receipt?: { readonly transactionHash: string; readonly blockNumber: number }
    /** Keccak-256 of its runtime code, where the team vouches for it. */
    readonly runtimeCodeHash?: string
    readonly constructorArguments?: ReadonlyArray<unknown>
  }>
  /** Where whoever plans says which deployment it is. */
  readonly chosenByAddress?: boolean
}

const ID = /^[^:\s]+:[^:\s]+:[A-Za-z_$][A-Za-z0-9_$]*$/

const Added = strict({
  id: Schema.String.pipe(Schema.pattern(ID, { message: () => "<package>:<source path>:<name>" })),
  version: Schema.NonEmptyString,
  abi: Abi,
  deployments: Schema.Array(
    strict({
      chainId: ChainId,
      address: Address,
      retired: Schema.optionalWith(Schema.Boolean, { default: () => false }),
      receipt: Schema.optionalWith(
        Schema.NullOr(strict({ transactionHash: Bytes32, blockNumber: Schema.NonNegativeInt })),
        { default: () => null }
      ),
      runtimeCodeHash: Schema.optionalWith(Schema.NullOr(Bytes32), { default: () => null }),
      constructorArguments: Schema.optionalWith(ConstructorArguments, { default: () => null })
    })
  ),
  chosenByAddress: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
type Added = typeof Added.Type

const refused = (contract: string, detail: string) => new CatalogIntegrity({ detail, context: { contract } })

const decoded = (given: AddedContract): Either.Either<Added, CatalogIntegrity> =>
  Either.mapLeft(Schema.decodeUnknownEither(Added)(given), fault => {
    const [issue] = ParseResult.ArrayFormatter.formatErrorSync(fault)
    const place = issue === undefined ? "" : ` at ${issue.path.join(".")}: ${issue.message}`
    return refused(String(given.id), `The contract ${String(given.id)} is not told rightly${place}.`)
  })

const partsOf = (id: string) => {
  const [packageId = "", sourcePath = "", name = ""] = id.split(":")
  return { packageId, sourcePath, name }
}

const abiHashOf = ({ abi }: Added): string => sha256(canonicalAbiText(abi))

/** Stored plans may name an ABI by its entries in the order in which they were given. */
const formerHashOf = ({ abi }: Added): string => sha256(canonicalJson(abi))

const contractRow = (added: Added): ContractRow => ({
  id: added.id,
  ...partsOf(added.id),
  version: added.version,
  category: "contract",
  abiHash: abiHashOf(added),
  abiOrigin: "published"
})

const deploymentRows = (added: Added): ReadonlyArray<DeploymentRow> =>
  added.deployments.map(deployment => ({
    ...deployment,
    alias: partsOf(added.id).name,
    contractId: added.id,
    packageVersion: added.version,
    abiHash: abiHashOf(added),
    generation: "current",
    clone: false,
    label: null,
    compiler: null,
    receipt: deployment.receipt && { ...deployment.receipt, timestamp: null }
  }))

/** Where something stands that a contract may not stand in for. */
type Place = Pick<DeploymentRow, "chainId" | "address" | "contractId">

const isAt =
  ({ chainId, address }: Pick<Place, "chainId" | "address">) =>
  (place: Place): boolean =>
    place.chainId === chainId && place.address === address

/** Its name is what plans call a contract by, and what stands at an address is one contract. */
const faultsOf = (
  { contracts, deployments }: Inventory,
  elsewhere: ReadonlyArray<Place>,
  { id, deployments: own, chosenByAddress }: Added
): ReadonlyArray<string> => {
  const { name } = partsOf(id)
  const others = [...deployments, ...elsewhere.filter(({ contractId }) => contractId !== id)]
  return [
    ...(contracts.some(each => each.name === name)
      ? [`the catalog has a contract named ${name} already`]
      : []),
    ...own.flatMap((deployment, index) => {
      const place = `${deployment.address} of chain ${deployment.chainId}`
      if (others.some(isAt(deployment))) return [`the catalog has another contract at ${place}`]
      const before = own.slice(0, index).map(each => ({ ...each, contractId: id }))
      if (before.some(isAt(deployment))) return [`it stands twice at ${place}`]
      const inUse = before.filter(({ chainId, retired }) => chainId === deployment.chainId && !retired)
      return inUse.length > 0 && !deployment.retired && !chosenByAddress
        ? [`it stands twice in use on chain ${deployment.chainId}`]
        : []
    })
  ]
}

const withOne = (inventory: Inventory, added: Added): Inventory => {
  const { packageId } = partsOf(added.id)
  const known = inventory.packages.some(({ id }) => id === packageId)
  const own = { id: packageId, version: added.version, repository: null, commit: null } as const
  return {
    ...inventory,
    packages: known
      ? inventory.packages
      : [...inventory.packages, { ...own, category: "dependency" as const }],
    contracts: [...inventory.contracts, contractRow(added)],
    deployments: [...inventory.deployments, ...deploymentRows(added)],
    abis: new Map([...inventory.abis, [formerHashOf(added), added.abi], [abiHashOf(added), added.abi]])
  }
}

/** With a line for each fault; `elsewhere` is what overlays say of what stands where. */
export const withContracts = (
  inventory: Inventory,
  contracts: ReadonlyArray<AddedContract>,
  elsewhere: ReadonlyArray<Place> = []
): Either.Either<Inventory, CatalogIntegrity> => {
  let all = inventory
  const refusals: Array<CatalogIntegrity> = []
  for (const given of contracts) {
    const added = decoded(given)
    if (Either.isLeft(added)) {
      refusals.push(added.left)
      continue
    }
    const { id } = added.right
    const faults = faultsOf(all, elsewhere, added.right)
    refusals.push(...faults.map(fault => refused(id, `The contract ${id} is refused: ${fault}.`)))
    if (faults.length === 0) all = withOne(all, added.right)
  }
  const [first] = refusals
  return first === undefined
    ? Either.right(all)
    : Either.left(
        new CatalogIntegrity({
          detail: refusals.map(({ detail }) => detail).join("\n"),
          ...(first.context === undefined ? {} : { context: first.context })
        })
      )
}
