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
    /** Absent where it is not known. */
    readonly receipt?: { readonly transactionHash: string; readonly blockNumber: number }
    /** Keccak-256 of its runtime code, where the team vouches for it. */
    readonly runtimeCodeHash?: string
    readonly constructorArguments?: ReadonlyArray<unknown>
  }>
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
      receipt: Schema.optionalWith(
        Schema.NullOr(strict({ transactionHash: Bytes32, blockNumber: Schema.NonNegativeInt })),
        { default: () => null }
      ),
      runtimeCodeHash: Schema.optionalWith(Schema.NullOr(Bytes32), { default: () => null }),
      constructorArguments: Schema.optionalWith(ConstructorArguments, { default: () => null })
    })
  )
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
    retired: false,
    generation: "current",
    clone: false,
    label: null,
    compiler: null,
    receipt: deployment.receipt && { ...deployment.receipt, timestamp: null }
  }))

/** Its name is what plans call a contract by, and what stands at an address is one contract. */
const fault = (
  { contracts, deployments }: Inventory,
  { id, deployments: own }: Added
): string | undefined => {
  const { name } = partsOf(id)
  if (contracts.some(each => each.name === name)) return `the catalog has a contract named ${name} already`
  const taken = own.find(({ chainId, address }) =>
    deployments.some(each => each.chainId === chainId && each.address === address)
  )
  return taken && `the catalog has another contract at ${taken.address} of chain ${taken.chainId}`
}

const withOne = (inventory: Inventory, added: Added): Either.Either<Inventory, CatalogIntegrity> => {
  const wrong = fault(inventory, added)
  if (wrong !== undefined)
    return Either.left(refused(added.id, `The contract ${added.id} is refused: ${wrong}.`))
  const { packageId } = partsOf(added.id)
  const known = inventory.packages.some(({ id }) => id === packageId)
  const own = { id: packageId, version: added.version, repository: null, commit: null } as const
  return Either.right({
    ...inventory,
    packages: known
      ? inventory.packages
      : [...inventory.packages, { ...own, category: "dependency" as const }],
    contracts: [...inventory.contracts, contractRow(added)],
    deployments: [...inventory.deployments, ...deploymentRows(added)],
    abis: new Map([...inventory.abis, [formerHashOf(added), added.abi], [abiHashOf(added), added.abi]])
  })
}

export const withContracts = (
  inventory: Inventory,
  contracts: ReadonlyArray<AddedContract>
): Either.Either<Inventory, CatalogIntegrity> =>
  contracts.reduce<Either.Either<Inventory, CatalogIntegrity>>(
    (all, given) =>
      Either.flatMap(all, known => Either.flatMap(decoded(given), added => withOne(known, added))),
    Either.right(inventory)
  )
