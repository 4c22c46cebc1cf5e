/** What a chain proves of a target at one block, in one round trip with the caller's own calls. */
import { Effect } from "effect"
import type { CatalogShape } from "../catalog/Catalog.ts"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import type { Block, CallOutcome, CallRequest, Snapshot } from "../chain/ChainClient.ts"
import { call, code } from "../chain/PinnedReads.ts"
import { type RpcFailure, RpcInvalidResponse } from "../chain/refusals.ts"
import type { Evidence } from "../values/Evidence.ts"
import type { Association } from "./Association.ts"
import type { ProjectContext, Resolution, ResolveQuery } from "./ProtocolSchemas.ts"
import { judgeRuntime, type RuntimeFinding } from "./RuntimeCode.ts"
import type { RuntimePinsShape } from "./RuntimePins.ts"
import { ProjectAssociationMismatch } from "./refusals.ts"
import { publishedAt, type Target } from "./Target.ts"

interface Subject {
  readonly deployment: Deployment
  readonly projectContext: ProjectContext | undefined
  /** What still has to name the address; undefined where it gave the address itself or no project was named. */
  readonly unconfirmed: Association | undefined
}

const locate = Effect.fn("Proof.locate")(function* (
  catalog: CatalogShape,
  snapshot: Snapshot,
  query: ResolveQuery,
  association: Association
) {
  const [outcome] = yield* snapshot.session.all([call(association.request, snapshot.block.hash)])
  const [address] = yield* association.addresses(outcome)
  const deployment = yield* publishedAt(catalog, query, address)
  const subject: Subject = { deployment, projectContext: association.context, unconfirmed: undefined }
  return subject
})

export const subjectAt = (
  catalog: CatalogShape,
  snapshot: Snapshot,
  query: ResolveQuery,
  target: Target
): Effect.Effect<Subject, Effect.Effect.Error<ReturnType<typeof locate>>> =>
  target._tag === "Located"
    ? locate(catalog, snapshot, query, target.association)
    : Effect.succeed({
        deployment: target.deployment,
        projectContext: target.association?.context,
        unconfirmed: target.association
      })

const evidenceOf = (block: Block): Evidence => ({
  chainId: block.chainId,
  blockNumber: block.number.toString(),
  blockHash: block.hash,
  timestamp: block.timestamp.toString(),
  source: "onchain"
})

const resolutionOf = (block: Block, subject: Subject, finding: RuntimeFinding): Resolution => {
  const { deployment, projectContext } = subject
  const { transactionHash, blockNumber } = deployment.receipt
  return {
    chainId: deployment.chainId,
    contractId: deployment.contractId,
    address: deployment.address,
    abiHash: deployment.abiHash,
    provenance: {
      kind: "published-deployment",
      source: deployment.source,
      alias: deployment.alias,
      packageVersion: deployment.packageVersion,
      generation: deployment.generation,
      retired: deployment.retired,
      receipt: { transactionHash, blockNumber },
      ...finding,
      ...(projectContext === undefined ? {} : { projectContext })
    },
    evidence: [evidenceOf(block)]
  }
}

const confirm = Effect.fn("Proof.confirm")(function* (
  { address }: Deployment,
  association: Association,
  outcome: CallOutcome | undefined
) {
  if (outcome === undefined) return yield* new RpcInvalidResponse()
  const addresses = yield* association.addresses(outcome)
  if (addresses.includes(address)) return
  return yield* new ProjectAssociationMismatch({
    context: { ...association.context, address, addresses: addresses.slice(0, 16) }
  })
})

/** The outcomes are those of the caller's own requests, in their order. */
export const prove = Effect.fn("Proof.prove")(function* (
  pins: RuntimePinsShape,
  { session, block }: Snapshot,
  subject: Subject,
  requests: ReadonlyArray<CallRequest>
) {
  const { deployment, unconfirmed } = subject
  const asked = unconfirmed === undefined ? requests : [unconfirmed.request, ...requests]
  const [bytes, ...answers] = yield* session.all([
    code(deployment.address, block.hash),
    ...asked.map(request => call(request, block.hash))
  ])
  const finding = yield* judgeRuntime(deployment, pins.confirmed(deployment), bytes)
  if (unconfirmed !== undefined) yield* confirm(deployment, unconfirmed, answers[0])
  return {
    resolution: resolutionOf(block, subject, finding),
    outcomes: unconfirmed === undefined ? answers : answers.slice(1)
  }
})

export type ProofRefusal = Exclude<
  Effect.Effect.Error<ReturnType<typeof prove>> | Effect.Effect.Error<ReturnType<typeof subjectAt>>,
  RpcFailure
>
