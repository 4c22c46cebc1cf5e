/** Reads from a chain whether a transaction deployed an intent; whatever is not proved is refused, and says what was missing. */
import { Effect } from "effect"
import { type Block, ChainClient, type ChainSession, type Receipt } from "../chain/ChainClient.ts"
import { isLimiting } from "../chain/JsonRpc.ts"
import { blockListing, chainProof, latestBlock, transactionReceipt } from "../chain/Reads.ts"
import { RpcUnavailable } from "../chain/refusals.ts"
import { type SentTransaction, sentTransaction, transactionTrace } from "../chain/TraceReads.ts"
import { PinnedContracts } from "../protocol/PinnedContracts.ts"
import { DeploymentUnavailable } from "../protocol/refusals.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { createdProject, type DeploymentContracts, isLaunch, tracedLaunch } from "./DeploymentProof.ts"
import type { IntentCall } from "./Intent.ts"
import { DeploymentUnconfirmed, DeploymentUnproved, TraceUnavailable } from "./refusals.ts"

export interface ProvenDeployment {
  readonly chainId: number
  readonly projectId: string
  readonly transactionHash: Bytes32
  readonly forwarded: boolean
  readonly blockNumber: bigint
  readonly blockHash: Bytes32
}

const contractsOf = Effect.fnUntraced(function* (chainId: number) {
  const { names } = yield* PinnedContracts
  const projects = names.canonicalOf(chainId, "JBProjects")?.address
  if (projects === undefined)
    return yield* new DeploymentUnavailable({ context: { contract: "JBProjects", chainId } })
  const forwarders = names.deploymentsOf(chainId, "ERC2771Forwarder").map(({ address }) => address)
  const contracts: DeploymentContracts = { projects, forwarders }
  return contracts
})

const confirmationsOf = (receipt: Receipt | null, head: Block): number =>
  receipt === null ? 0 : Math.max(0, Number(head.number - receipt.blockNumber) + 1)

/** A transaction that failed may still be mined anew while it is young. */
const succeeded = Effect.fnUntraced(function* (receipt: Receipt | null, head: Block, required: number) {
  const confirmations = confirmationsOf(receipt, head)
  if (receipt === null || confirmations < required)
    return yield* new DeploymentUnconfirmed({ context: { confirmations, required } })
  if (receipt.status === "reverted")
    return yield* new DeploymentUnproved({ context: { reason: "the transaction reverted" } })
  return receipt
})

interface Suspect {
  readonly launch: IntentCall
  readonly projectId: bigint
  readonly hash: Bytes32
  readonly sent: SentTransaction | null
}

/** Only what is not the transaction itself needs the trace that many nodes refuse. */
const wayOf = Effect.fnUntraced(function* (
  session: ChainSession,
  suspect: Suspect,
  contracts: DeploymentContracts
) {
  const { launch, projectId, hash, sent } = suspect
  if (isLaunch(launch, sent)) return { forwarded: false }
  const [trace] = yield* session.all([transactionTrace(hash)])
  if (trace._tag === "Refused")
    return yield* isLimiting(trace.code)
      ? new RpcUnavailable()
      : new TraceUnavailable({ context: { code: trace.code } })
  return yield* tracedLaunch(launch, projectId, trace.calls, contracts)
})

export const proveDeployment = Effect.fn("ProveDeployment.prove")(function* (
  launch: IntentCall,
  hash: Bytes32
) {
  const { chainId } = launch
  const chains = yield* ChainClient
  const { confirmations: required } = yield* chains.chain(chainId)
  const contracts = yield* contractsOf(chainId)
  const { session, answers } = yield* chains.begin(chainId, [
    chainProof(chainId),
    latestBlock(chainId),
    transactionReceipt(hash),
    sentTransaction(hash)
  ])
  const [, head, found, sent] = answers
  const { logs, blockNumber, blockHash } = yield* succeeded(found, head, required)
  const projectId = yield* createdProject(logs, contracts.projects)
  const { forwarded } = yield* wayOf(session, { launch, projectId, hash, sent }, contracts)
  const [, block] = yield* session.all([chainProof(chainId), blockListing(blockNumber)])
  const isCanonical = block?.hash === blockHash && (block.transactions?.has(hash) ?? true)
  if (!isCanonical) return yield* new DeploymentUnconfirmed({ context: { confirmations: 0, required } })
  const proven: ProvenDeployment = {
    chainId,
    projectId: String(projectId),
    transactionHash: hash,
    forwarded,
    blockNumber,
    blockHash
  }
  return proven
})
