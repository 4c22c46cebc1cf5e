/** Which contract a request means, as far as the catalog alone can tell. */
import { Array, Effect, Either, Option, Schema } from "effect"
import type { CatalogShape } from "../catalog/Catalog.ts"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import { type CloneFamily, familyOf } from "../catalog/CloneFamilies.ts"
import type { ContractRow } from "../catalog/Inventory.ts"
import { type Address, PositiveUint256 } from "../values/Scalars.ts"
import type { Association } from "./AnchorCall.ts"
import { associationOf } from "./Association.ts"
import type { ResolveQuery } from "./ProtocolSchemas.ts"
import {
  ContractNotExecutable,
  DeploymentAmbiguous,
  DeploymentMissing,
  ProjectIdInvalid,
  TargetUnverified
} from "./refusals.ts"

/** What an address may be as far as the catalog knows. */
export type TargetStanding =
  | { readonly _tag: "Published"; readonly deployment: Deployment }
  | { readonly _tag: "Unpublished"; readonly family: CloneFamily; readonly address: Address }

interface Interfaces {
  /** By preference; the deployment that a proof finds has one of its own. */
  readonly abiHashes: Array.NonEmptyReadonlyArray<string>
}

export type Target = Interfaces &
  (
    | {
        readonly _tag: "Standing"
        readonly standing: TargetStanding
        readonly association: Association | undefined
      }
    /** The project's own record has to name the address. */
    | { readonly _tag: "Located"; readonly association: Association }
  )

export const standingOf = (
  catalog: CatalogShape,
  { chainId, contractId }: ResolveQuery,
  address: Address
): Either.Either<TargetStanding, TargetUnverified> => {
  const found = Option.getOrUndefined(catalog.deploymentAt(chainId, address))
  if (found?.contractId === contractId) return Either.right({ _tag: "Published", deployment: found })
  const family = familyOf(contractId)
  return found === undefined &&
    family !== undefined &&
    catalog.deployments(chainId, family.factory).length > 0
    ? Either.right({ _tag: "Unpublished", family, address })
    : Either.left(new TargetUnverified({ context: { chainId, contractId, address } }))
}

/** A retired deployment is meant only where its address is given or no current one is left. */
const onlyPublished = (
  catalog: CatalogShape,
  { chainId, contractId }: ResolveQuery
): Effect.Effect<Deployment, DeploymentMissing | DeploymentAmbiguous> => {
  const published = catalog.deployments(chainId, contractId)
  const current = published.filter(row => !row.retired)
  const [only, another] = current.length === 0 ? published : current
  if (only === undefined) return Effect.fail(new DeploymentMissing({ context: { chainId, contractId } }))
  if (another === undefined) return Effect.succeed(only)
  return Effect.fail(
    new DeploymentAmbiguous({
      context: { chainId, contractId, addresses: published.map(({ address }) => address) }
    })
  )
}

const isProjectId = Schema.is(PositiveUint256)

const association = Effect.fn("Target.association")(function* (catalog: CatalogShape, query: ResolveQuery) {
  const { chainId, contractId, projectId } = query
  if (projectId === undefined) return undefined
  if (!isProjectId(projectId)) return yield* new ProjectIdInvalid()
  return yield* associationOf(catalog, { chainId, contractId, projectId })
})

const notExecutable = ({ id, category }: ContractRow) =>
  new ContractNotExecutable({ context: { contractId: id, category } })

export const targetOf = Effect.fn("Target.of")(function* (catalog: CatalogShape, query: ResolveQuery) {
  const { address, chainId, contractId } = query
  const contract = yield* catalog.declaration(contractId)
  if (!contract.executable || contract.abiHash === null) return yield* notExecutable(contract)
  const bond = yield* association(catalog, query)
  const published = catalog.deployments(chainId, contractId).map(row => row.abiHash)
  const abiHashes = Array.dedupe(Array.append(published, contract.abiHash))
  if (address === undefined && bond?.locates === true) {
    return { _tag: "Located", abiHashes, association: bond } as const
  }
  const standing: TargetStanding =
    address === undefined
      ? { _tag: "Published", deployment: yield* onlyPublished(catalog, query) }
      : yield* standingOf(catalog, query, address)
  const own = standing._tag === "Published" ? Array.of(standing.deployment.abiHash) : abiHashes
  return { _tag: "Standing", abiHashes: own, standing, association: bond } as const
})

export type TargetRefusal = Effect.Effect.Error<ReturnType<typeof targetOf>>
