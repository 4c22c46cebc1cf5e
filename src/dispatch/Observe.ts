/** Looks at the admitted steps of one chain: receipts, the head and canonical blocks, in two round trips where all are mined. */
import { Effect } from "effect"
import type { Catalog } from "../catalog/Catalog.ts"
import type { Block, BlockListing, ChainSession, Receipt } from "../chain/ChainClient.ts"
import {
  blockListing,
  chainProof,
  latestBlock,
  taggedBlock,
  transactionByHash,
  transactionReceipt
} from "../chain/Reads.ts"
import { RpcInvalidResponse } from "../chain/refusals.ts"
import type { Observation } from "../plans/Observation.ts"
import type { Call, Semantic, StoredReceipt } from "../plans/Plan.ts"
import type { StepFacts } from "../plans/Step.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { failpoint } from "../values/Failpoint.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import { type Address, type Bytes32, MAX_SAFE } from "../values/Scalars.ts"
import { verifyEffects } from "./semantics/installed.ts"

export interface Admitted {
  readonly step: number
  readonly call: Call
  readonly facts: StepFacts
  readonly hash: Bytes32
}

interface Heads {
  readonly latest: Block
  readonly safe: Block | null
  readonly finalized: Block | null
}

export interface Surroundings {
  readonly account: Address
  readonly confirmations: number
  /** The database's milliseconds. */
  readonly now: number
}

const finalityOf = (number: bigint, { safe, finalized }: Heads): StoredReceipt["finality"] => {
  if (finalized !== null && finalized.number >= number) return "finalized"
  if (safe !== null && safe.number >= number) return "safe"
  return safe === null && finalized === null ? "unknown" : "latest"
}

const storedReceipt = (receipt: Receipt, heads: Heads, now: number): StoredReceipt => ({
  transactionHash: receipt.transactionHash,
  blockHash: receipt.blockHash,
  blockNumber: String(receipt.blockNumber),
  status: receipt.status,
  confirmations: Math.max(0, Number(heads.latest.number - receipt.blockNumber) + 1),
  finality: finalityOf(receipt.blockNumber, heads),
  canonical: true,
  observedAt: now,
  logs: [],
  logCount: receipt.logs.length,
  logsHash: keccak256Utf8(canonicalJson(receipt.logs)),
  logsStored: false
})

const semanticOf = ({ call }: Admitted, receipt: Receipt, account: Address) =>
  receipt.status === "success"
    ? verifyEffects({ call, account, receipt, logs: receipt.logs })
    : Effect.succeed(undefined)

interface Looked {
  readonly admitted: Admitted
  readonly receipt: Receipt | null
  readonly known: boolean
}

/** The block that a step's canonicity hangs on: its receipt's, or the one that was stored. */
const blockOf = ({ receipt, admitted }: Looked) => {
  if (receipt !== null) return { number: receipt.blockNumber, hash: receipt.blockHash }
  const stored = admitted.facts.receipt
  return stored === undefined ? undefined : { number: BigInt(stored.blockNumber), hash: stored.blockHash }
}

const mined = Effect.fnUntraced(function* (
  { admitted }: Looked,
  receipt: Receipt,
  heads: Heads,
  around: Surroundings
) {
  const stored = storedReceipt(receipt, heads, around.now)
  const semantic: Semantic | undefined =
    stored.confirmations >= around.confirmations
      ? yield* semanticOf(admitted, receipt, around.account)
      : undefined
  return { _tag: "Mined", receipt: stored, required: around.confirmations, semantic } satisfies Observation
})

const unmined = ({ admitted, known }: Looked, now: number): Observation => {
  const { lease } = admitted.facts
  const isOver = lease === undefined || lease.expiresAt <= now
  return !known && isOver ? { _tag: "Forgotten" } : { _tag: "NoReceipt", known }
}

/** A node that lacks the block, or whose canonical block and receipts do not agree, is behind or lies: that proves nothing. */
const observation = (
  looked: Looked,
  canonical: BlockListing | null,
  heads: Heads,
  around: Surroundings
): Effect.Effect<Observation, never, Catalog> => {
  const block = blockOf(looked)
  if (block === undefined) return Effect.succeed(unmined(looked, around.now))
  if (canonical === null) return Effect.succeed({ _tag: "Unreadable" })
  if (canonical.hash !== block.hash) return Effect.succeed({ _tag: "Displaced" })
  const isListed = canonical.transactions?.has(looked.admitted.hash) ?? true
  return looked.receipt === null || !isListed
    ? Effect.succeed({ _tag: "Unreadable" })
    : mined(looked, looked.receipt, heads, around)
}

const lookAt = Effect.fnUntraced(function* (session: ChainSession, steps: ReadonlyArray<Admitted>) {
  const { chainId } = session
  const reads = yield* session.all([
    chainProof(chainId),
    latestBlock(chainId),
    taggedBlock(chainId, "safe"),
    taggedBlock(chainId, "finalized"),
    ...steps.map(({ hash }) => transactionReceipt(hash))
  ])
  const [, latest, safe, finalized, ...receipts] = reads
  yield* failpoint("refresh.receiptsRead")
  if (latest.number > BigInt(MAX_SAFE)) return yield* new RpcInvalidResponse()
  const missing = steps.filter((_, index) => (receipts[index] ?? null) === null)
  const found = yield* session.all(missing.map(({ hash }) => transactionByHash(hash)))
  yield* failpoint("refresh.unminedRead")
  const known = new Set(found.flatMap(transaction => transaction?.hash ?? []))
  return { heads: { latest, safe, finalized }, receipts, known }
})

/** One observation for each step, in their order; both round trips prove the chain, since another chain's blocks would displace ours. */
export const observe = Effect.fn("Reconcile.observe")(function* (
  session: ChainSession,
  steps: ReadonlyArray<Admitted>,
  around: Surroundings
) {
  const { heads, receipts, known } = yield* lookAt(session, steps)
  const looked = steps.map((admitted, index) => ({
    admitted,
    receipt: receipts[index] ?? null,
    known: known.has(admitted.hash)
  }))
  const [, ...blocks] = yield* session.all([
    chainProof(session.chainId),
    ...looked.map(entry => blockListing(blockOf(entry)?.number ?? heads.latest.number))
  ])
  return yield* Effect.forEach(looked, (entry, index) =>
    observation(entry, blocks[index] ?? null, heads, around)
  )
})
