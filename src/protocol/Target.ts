/** Which published deployment a request means, as far as the catalog alone can tell. */
import { Effect, Option, Schema } from "effect"
import type { CatalogShape } from "../catalog/Catalog.ts"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import { type Address, PositiveUint256 } from "../values/Scalars.ts"
import { type Association, associationOf } from "./Association.ts"
import type { ResolveQuery } from "./ProtocolSchemas.ts"
import {
  ContractNotExecutable,
  DeploymentAmbiguous,
  DeploymentMissing,
  ProjectIdInvalid,
  TargetUnverified
} from "./refusals.ts"

export type Target =
  | {
      readonly _tag: "Published"
      readonly deployment: Deployment
      readonly association: Association | undefined
    }
  /** The project's own record has to name the address. */
  | { readonly _tag: "Located"; readonly association: Association }

export const publishedAt = (
  catalog: CatalogShape,
  { chainId, contractId }: ResolveQuery,
  address: Address
): Effect.Effect<Deployment, TargetUnverified> => {
  const found = catalog.deploymentAt(chainId, address)
  return Option.isSome(found) && found.value.contractId === contractId
    ? Effect.succeed(found.value)
    : Effect.fail(new TargetUnverified({ context: { chainId, contractId, address } }))
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
  return yield* associationOf(catalog, chainId, contractId, projectId)
})

export const targetOf = Effect.fn("Target.of")(function* (catalog: CatalogShape, query: ResolveQuery) {
  const contract = yield* catalog.declaration(query.contractId)
  if (!contract.executable) {
    return yield* new ContractNotExecutable({
      context: { contractId: contract.id, category: contract.category }
    })
  }
  const bond = yield* association(catalog, query)
  const { address } = query
  if (address === undefined && bond?.locates === true) return { _tag: "Located", association: bond } as const
  const deployment = yield* address === undefined
    ? onlyPublished(catalog, query)
    : publishedAt(catalog, query, address)
  return { _tag: "Published", deployment, association: bond } as const
})

export type TargetRefusal = Effect.Effect.Error<ReturnType<typeof targetOf>>
