/** What a chain proves of a target at one block, together with the caller's own questions about it. */
import { Either } from "effect"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import { type CloneFamily, familyOf } from "../catalog/CloneFamilies.ts"
import type { RpcUnavailable } from "../chain/refusals.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import type { AssociationRefusal, FoundAnchor } from "./AnchorCall.ts"
import { type Inspection, inspectClone, inspectionRefusal } from "./CloneProof.ts"
import type { Ground } from "./Ground.ts"
import { type Inquiry, inquireCode, mapInquiry, settled, thenAsking, zipWith } from "./Inquiry.ts"
import { minimalProxyOf } from "./MinimalProxy.ts"
import type { CloneProvenance, ProjectContext, PublishedProvenance, ResolveQuery } from "./ProtocolSchemas.ts"
import { codeHash, judgeRuntime, type RuntimeFinding } from "./RuntimeCode.ts"
import {
  DeploymentCodeMissing,
  ProjectAssociationMismatch,
  ProvenanceUnverified,
  type RuntimeCodeMismatch,
  type TargetUnverified
} from "./refusals.ts"
import { standingOf, type Target, type TargetStanding } from "./Target.ts"

export interface Proved {
  readonly address: Address
  readonly abiHash: string
  readonly provenance: PublishedProvenance | CloneProvenance
  /** What a clone itself says of its project. */
  readonly projectId?: bigint | undefined
}

export type ProofRefusal =
  | DeploymentCodeMissing
  | RuntimeCodeMismatch
  | TargetUnverified
  | ProvenanceUnverified
  | RpcUnavailable
  | AssociationRefusal

type Verdict<A> = Either.Either<A, ProofRefusal>

const published = (ground: Ground, deployment: Deployment, bytes: Hex): Verdict<Proved> => {
  const { address, abiHash, alias, generation, packageVersion, receipt, retired, source } = deployment
  return Either.map(judgeRuntime(deployment, ground.pins.confirmed(deployment), bytes), finding => ({
    address,
    abiHash,
    provenance: {
      kind: "published-deployment",
      source,
      alias,
      packageVersion,
      generation,
      retired,
      receipt: receipt && { transactionHash: receipt.transactionHash, blockNumber: receipt.blockNumber },
      ...finding
    }
  }))
}

/** The bytes of the proxy are proved; what is left to confirm is the code that it runs. */
const runtimeOf = (
  { pins }: Ground,
  { code: bytes, implementationCode }: Inspection,
  row: Deployment | undefined,
  implementation: Deployment | undefined
): Verdict<RuntimeFinding> => {
  const runtimeCodeHash = codeHash(bytes)
  const own = row === undefined ? Either.right(undefined) : judgeRuntime(row, pins.confirmed(row), bytes)
  if (Either.isLeft(own)) return Either.left(own.left)
  if (implementation === undefined) {
    return Either.right({
      runtimeCodeHash,
      runtimeVerified: false,
      verificationGap: "implementation-unpublished"
    })
  }
  const finding = judgeRuntime(implementation, pins.confirmed(implementation), implementationCode)
  return Either.map(finding, found => ({ ...found, runtimeCodeHash }))
}

interface Clone {
  readonly contractId: string
  readonly family: CloneFamily
  readonly address: Address
  readonly row: Deployment | undefined
  /** Where neither the address nor its implementation is published. */
  readonly abiHash: string
}

const judgeClone = (ground: Ground, clone: Clone, inspection: Inspection): Verdict<Proved> => {
  const { catalog, chainId } = ground
  const { contractId, family, address, row, abiHash } = clone
  const context = { chainId, contractId, address }
  if (row !== undefined && inspection.code === "0x")
    return Either.left(new DeploymentCodeMissing({ context }))
  const refusal = inspectionRefusal(inspection, context, row !== undefined)
  if (refusal !== undefined) return Either.left(refusal)
  const { proxy, factory, projectId } = inspection
  if (Either.isLeft(proxy) || factory === undefined) return Either.left(new ProvenanceUnverified({ context }))
  const { implementation, standard } = proxy.right
  const source = catalog
    .deployments(chainId, contractId)
    .find(deployment => deployment.address === implementation)
  return Either.map(runtimeOf(ground, inspection, row, source), finding => ({
    address,
    abiHash: row?.abiHash ?? source?.abiHash ?? abiHash,
    projectId,
    provenance: {
      kind: "verified-factory-clone",
      standard,
      implementation,
      factory: factory.address,
      association: family.association,
      proofs: inspection.findings.map(({ name }) => name),
      generation: factory.generation,
      retired: factory.retired || row?.retired === true,
      ...finding
    }
  }))
}

interface Wanted {
  readonly query: ResolveQuery
  readonly target: Target
}

const cloneAt = (ground: Ground, clone: Clone, projectId: string | undefined) =>
  mapInquiry(inspectClone(ground, clone.family, clone.address, projectId), inspection =>
    judgeClone(ground, clone, inspection)
  )

const publishedAt = (
  ground: Ground,
  deployment: Deployment,
  projectId: string | undefined
): Inquiry<Verdict<Proved>> => {
  const { abiHash, address, contractId } = deployment
  const family = familyOf(contractId)
  const asClone = (known: CloneFamily) =>
    cloneAt(ground, { contractId, family: known, address, row: deployment, abiHash }, projectId)
  if (deployment.clone && family !== undefined) return asClone(family)
  return thenAsking(inquireCode(address), bytes => {
    if (minimalProxyOf(bytes) === undefined) return settled(published(ground, deployment, bytes))
    if (family !== undefined) return asClone(family)
    const proofs = [{ name: "factory", reason: "no factory makes clones of this contract" }]
    const context = { chainId: deployment.chainId, contractId, address, proofs }
    return settled(Either.left(new ProvenanceUnverified({ context })))
  })
}

const provedAt = (
  ground: Ground,
  { query, target }: Wanted,
  standing: TargetStanding
): Inquiry<Verdict<Proved>> => {
  const { contractId, projectId } = query
  if (standing._tag === "Published") return publishedAt(ground, standing.deployment, projectId)
  const { family, address } = standing
  const abiHash = target.abiHashes[0]
  return cloneAt(ground, { contractId, family, address, row: undefined, abiHash }, projectId)
}

const confirmed = (proved: Proved, found: FoundAnchor): Verdict<ProjectContext> => {
  const { address, projectId } = proved
  const { addresses, context } = found
  if (!addresses.includes(address)) {
    const listed = { ...context, address, addresses: addresses.slice(0, 16) }
    return Either.left(new ProjectAssociationMismatch({ context: listed }))
  }
  if (projectId === undefined || projectId === BigInt(context.projectId)) return Either.right(context)
  const claimed = { ...context, address, actual: projectId.toString() }
  return Either.left(new ProjectAssociationMismatch({ context: claimed }))
}

const tied = (proof: Verdict<Proved>, found: Verdict<FoundAnchor | undefined>): Verdict<Proved> =>
  Either.gen(function* () {
    const proved = yield* proof
    const uses = yield* found
    if (uses === undefined) return proved
    const projectContext = yield* confirmed(proved, uses)
    return { ...proved, provenance: { ...proved.provenance, projectContext } }
  })

export interface Answered<B> {
  readonly proved: Proved
  readonly also: B
}

/** `also` is asked of the address as soon as it is known, whatever the proof will say. */
export const inquire = <B>(
  ground: Ground,
  wanted: Wanted,
  also: (address: Address) => Inquiry<B>
): Inquiry<Verdict<Answered<B>>> => {
  const { query, target } = wanted
  const at = (standing: TargetStanding, found: Inquiry<Verdict<FoundAnchor | undefined>>) => {
    const address = standing._tag === "Published" ? standing.deployment.address : standing.address
    const proof = zipWith(provedAt(ground, wanted, standing), found, tied)
    return zipWith(proof, also(address), (verdict, more) =>
      Either.map(verdict, (proved): Answered<B> => ({ proved, also: more }))
    )
  }
  if (target._tag === "Standing") {
    const { association, standing } = target
    return at(
      standing,
      association === undefined ? settled(Either.right(undefined)) : association.find(ground)
    )
  }
  return thenAsking(target.association.find(ground), (found): Inquiry<Verdict<Answered<B>>> => {
    if (Either.isLeft(found)) return settled(Either.left(found.left))
    const standing = standingOf(ground.catalog, query, found.right.addresses[0])
    return Either.isLeft(standing) ? settled(Either.left(standing.left)) : at(standing.right, settled(found))
  })
}
