/** Looks at the admitted steps of one chain in two round trips: receipts and the head, then canonical blocks and what is not mined; what no event tells, or why something reverted, takes a third. */
import { Effect, Option } from "effect"
import type { Catalog } from "../catalog/Catalog.ts"
import {
  type Block,
  type BlockListing,
  ChainClient,
  type ChainSession,
  type Receipt
} from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { call as callAt } from "../chain/PinnedReads.ts"
import {
  blockListing,
  chainProof,
  finalizedCount,
  latestBlock,
  type TaggedBlock,
  taggedBlock,
  toldBlock,
  transactionByHash,
  transactionReceipt
} from "../chain/Reads.ts"
import { RpcInvalidResponse } from "../chain/refusals.ts"
import { InstalledEffects } from "../effects/InstalledEffects.ts"
import { isFinalBlock } from "../plans/FinalBlock.ts"
import type { Observation } from "../plans/Observation.ts"
import type { Semantic, StoredReceipt } from "../plans/Plan.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { failpoint } from "../values/Failpoint.ts"
import { forEachAtOnce } from "../values/ForEachAtOnce.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import { type Bytes32, MAX_SAFE } from "../values/Scalars.ts"
import { orNothing } from "./OrNothing.ts"
import { withReverts } from "./RepeatReverted.ts"
import { type AskTrace, sharedTraces } from "./SharedTraces.ts"
import type { AdmittedStanding, Tracking, TransactionProof } from "./Transport.ts"

export interface Admitted extends AdmittedStanding {
  /** Of the transaction that carries it. */
  readonly hash: Bytes32
  readonly walletNonce: bigint | undefined
  readonly prove: Tracking["prove"]
}

interface Heads {
  readonly latest: Block
  readonly safe: TaggedBlock
  readonly finalized: TaggedBlock
}

const covers = (tagged: TaggedBlock, number: bigint): boolean => (toldBlock(tagged)?.number ?? -1n) >= number

const finalityOf = (number: bigint, { safe, finalized }: Heads): StoredReceipt["finality"] => {
  if (finalized === null) return "unknown"
  if (covers(finalized, number)) return "finalized"
  return covers(safe, number) ? "safe" : "latest"
}

const storedReceipt = (
  receipt: Receipt,
  status: Receipt["status"],
  heads: Heads,
  now: number
): StoredReceipt => ({
  transactionHash: receipt.transactionHash,
  blockHash: receipt.blockHash,
  blockNumber: String(receipt.blockNumber),
  status,
  confirmations: Math.max(0, Number(heads.latest.number - receipt.blockNumber) + 1),
  finality: finalityOf(receipt.blockNumber, heads),
  canonical: true,
  observedAt: now,
  logs: [],
  logCount: receipt.logs.length,
  logsHash: keccak256Utf8(canonicalJson(receipt.logs)),
  logsStored: false
})

/** What was stored of the very logs in the very block, once they were judged. */
const judgedBefore = ({ facts }: Admitted, { blockHash, logsHash }: StoredReceipt) => {
  const { receipt, semantic, proof } = facts
  return receipt?.blockHash === blockHash && receipt.logsHash === logsHash && semantic !== undefined
    ? { status: receipt.status, semantic, proof }
    : undefined
}

type Proven = Exclude<TransactionProof, { readonly _tag: "Superseded" | "Absent" }>

const semanticOf = (
  session: ChainSession,
  admitted: Admitted,
  proof: Proven,
  receipt: Receipt,
  stored: StoredReceipt
): Effect.Effect<Semantic | undefined, never, Catalog | InstalledEffects> => {
  if (proof._tag !== "Proved") return Effect.succeed({ status: "unknown", reason: proof.reason })
  if (proof.status === "reverted") return Effect.succeed(proof.failure)
  const { forwarded, logs } = proof
  return Effect.flatMap(InstalledEffects, ({ verify }) =>
    verify({
      call: admitted.call,
      summary: admitted.summary,
      account: admitted.account,
      receipt,
      logs,
      read: request => Effect.map(session.all([callAt(request, receipt.blockHash)]), ([outcome]) => outcome),
      before: judgedBefore(admitted, stored)?.semantic,
      ...(forwarded === undefined ? {} : { forwarded })
    })
  )
}

interface Found {
  readonly admitted: Admitted
  readonly receipt: Receipt | null
}

interface Looked extends Found {
  /** Of what the receipt shows, should its block be canonical. */
  readonly proof: Option.Option<TransactionProof>
  readonly known: boolean
  /** The nonces that the wallet has spent for good. */
  readonly spent: bigint | null
}

/** The block that a step's canonicity hangs on: its receipt's, or the one that was stored. */
const blockOf = ({ receipt, admitted }: Found) => {
  if (receipt !== null) return { number: receipt.blockNumber, hash: receipt.blockHash }
  const stored = admitted.facts.receipt
  return stored === undefined ? undefined : { number: BigInt(stored.blockNumber), hash: stored.blockHash }
}

const isReplaced = ({ admitted: { walletNonce }, receipt, known, spent }: Looked): boolean =>
  receipt === null && !known && spent !== null && walletNonce !== undefined && walletNonce < spent

const displaced = (looked: Looked): Observation => ({ _tag: isReplaced(looked) ? "Replaced" : "Displaced" })

const absent = (looked: Looked): Observation =>
  looked.admitted.facts.receipt === undefined ? { _tag: "Unseen" } : displaced(looked)

const superseded = (
  { reason, finalReason }: Extract<TransactionProof, { readonly _tag: "Superseded" }>,
  receipt: StoredReceipt
): Observation =>
  isFinalBlock(receipt)
    ? { _tag: "Superseded", reason: finalReason, isFinal: true }
    : { _tag: "Superseded", reason, isFinal: false }

const UNREADABLE: Observation = { _tag: "Unreadable" }

const mined = Effect.fnUntraced(function* (
  session: ChainSession,
  looked: Looked,
  { receipt, proof }: { readonly receipt: Receipt; readonly proof: TransactionProof },
  heads: Heads,
  required: number
) {
  const { admitted } = looked
  if (proof._tag === "Absent") return absent(looked)
  if (proof._tag === "Superseded")
    return superseded(proof, storedReceipt(receipt, receipt.status, heads, admitted.now))
  const status = proof._tag === "Proved" ? proof.status : receipt.status
  const stored = storedReceipt(receipt, status, heads, admitted.now)
  const isDue = stored.confirmations >= required
  const before = proof._tag === "Unread" && isDue ? judgedBefore(admitted, stored) : undefined
  if (before !== undefined) {
    const { status, ...judged } = before
    return { _tag: "Mined", receipt: { ...stored, status }, required, ...judged } satisfies Observation
  }
  if (isDue && proof._tag === "Unread" && proof.isPassing && !isFinalBlock(stored)) return UNREADABLE
  const semantic = isDue ? yield* semanticOf(session, admitted, proof, receipt, stored) : undefined
  return { _tag: "Mined", receipt: stored, required, semantic, proof: proof.proof } satisfies Observation
})

const unmined = (looked: Looked): Observation => {
  const { admitted, known, spent } = looked
  const { facts, now, walletNonce } = admitted
  const { lease } = facts
  const isOver = lease === undefined || lease.expiresAt <= now
  if (known || !isOver) return { _tag: "NoReceipt", known }
  if (spent === null && walletNonce !== undefined) return UNREADABLE
  return { _tag: isReplaced(looked) ? "Replaced" : "Forgotten" }
}

/** The chain was rolled back below the block; what is final stays, and a node without it is behind. */
const isRolledBack = (
  { receipt, admitted }: Looked,
  { number }: { readonly number: bigint },
  heads: Heads
) => {
  const stored = admitted.facts.receipt
  const wasFinal = stored !== undefined && isFinalBlock(stored)
  return receipt === null && number > heads.latest.number && !wasFinal
}

/** Told before its block is sealed, as another one may be in its place. */
const isUnsealed = ({ receipt, admitted }: Looked, heads: Heads): boolean =>
  receipt !== null && admitted.facts.receipt === undefined && receipt.blockNumber > heads.latest.number

/** A node that lacks the block, or whose canonical block and receipts do not agree, is behind or lies: that proves nothing. */
const observation = (
  session: ChainSession,
  looked: Looked,
  canonical: BlockListing | null,
  heads: Heads,
  required: number
): Effect.Effect<Observation, never, Catalog | InstalledEffects> => {
  const block = blockOf(looked)
  if (block === undefined) return Effect.succeed(unmined(looked))
  if (canonical?.hash !== block.hash && isUnsealed(looked, heads))
    return Effect.succeed({ _tag: "NoReceipt", known: true })
  if (canonical === null)
    return Effect.succeed(isRolledBack(looked, block, heads) ? displaced(looked) : UNREADABLE)
  if (canonical.hash !== block.hash) return Effect.succeed(displaced(looked))
  const isListed = canonical.transactions?.has(looked.admitted.hash) ?? true
  const { receipt } = looked
  if (receipt === null || !isListed || Option.isNone(looked.proof)) return Effect.succeed(UNREADABLE)
  return mined(session, looked, { receipt, proof: looked.proof.value }, heads, required)
}

/** Several steps of one operation or sponsorship may share one. */
const hashesOf = (steps: ReadonlyArray<Admitted>): ReadonlyArray<Bytes32> => [
  ...new Set(steps.map(({ hash }) => hash))
]

const lookAt = Effect.fnUntraced(function* (chainId: number, steps: ReadonlyArray<Admitted>) {
  const hashes = hashesOf(steps)
  const { session, answers } = yield* (yield* ChainClient).begin(chainId, [
    chainProof(chainId),
    latestBlock(chainId),
    taggedBlock(chainId, "safe"),
    taggedBlock(chainId, "finalized"),
    ...hashes.map(hash => transactionReceipt(hash))
  ])
  const [, latest, safe, finalized, ...receipts] = answers
  yield* failpoint("refresh.receiptsRead")
  if (latest.number > BigInt(MAX_SAFE)) return yield* new RpcInvalidResponse()
  const byHash = new Map(hashes.map((hash, index) => [hash, receipts[index] ?? null]))
  const found = steps.map((admitted): Found => ({ admitted, receipt: byHash.get(admitted.hash) ?? null }))
  return { session, heads: { latest, safe, finalized }, found }
})

const proofOf = (session: ChainSession, { admitted, receipt }: Found, trace: AskTrace) =>
  receipt === null
    ? Effect.succeedNone
    : orNothing(Effect.asSome(admitted.prove(session, admitted, receipt, trace)), Option.none())

/** In one round trip: which transactions without a receipt are known or replaced, which blocks are canonical, and what the receipts prove. */
const lookBehind = Effect.fnUntraced(function* (session: ChainSession, found: ReadonlyArray<Found>) {
  const { chainId } = session
  const missing = found.flatMap(({ receipt, admitted }) => (receipt === null ? [admitted] : []))
  const wallets = [...new Set(missing.map(({ account }) => account))]
  const numbers = [...new Set(found.flatMap(entry => blockOf(entry)?.number ?? []))]
  const together = batched(session)
  const trace = yield* sharedTraces(session)
  const [transactions, counts, [, ...blocks], proofs] = yield* Effect.all(
    [
      together.all(hashesOf(missing).map(hash => transactionByHash(hash))),
      together.all(wallets.map(wallet => finalizedCount(wallet))),
      together.all([chainProof(chainId), ...numbers.map(number => blockListing(number))]),
      forEachAtOnce(found, each => proofOf(together, each, trace))
    ],
    { concurrency: "unbounded" }
  )
  yield* failpoint("refresh.unminedRead")
  return {
    known: new Set(transactions.flatMap(transaction => transaction?.hash ?? [])),
    spent: new Map(wallets.map((wallet, index) => [wallet, counts[index] ?? null])),
    blocks: new Map(numbers.map((number, index) => [number, blocks[index] ?? null])),
    proofs
  }
})

/** One observation for each step, in their order, once it has the required confirmations with its effects; both round trips prove the chain, since another chain's blocks would displace ours. */
export const observe = Effect.fn("Reconcile.observe")(function* (
  chainId: number,
  steps: ReadonlyArray<Admitted>,
  required: number
) {
  const { session, heads, found } = yield* lookAt(chainId, steps)
  const { known, spent, blocks, proofs } = yield* lookBehind(session, found)
  const together = batched(session)
  const looked = yield* forEachAtOnce(found, (entry, index) => {
    const { hash, account } = entry.admitted
    const proof = proofs[index] ?? Option.none()
    const step: Looked = { ...entry, proof, known: known.has(hash), spent: spent.get(account) ?? null }
    const block = blockOf(entry)
    const canonical = (block && blocks.get(block.number)) ?? null
    return Effect.map(observation(together, step, canonical, heads, required), seen => ({
      admitted: entry.admitted,
      canonical,
      observation: seen
    }))
  })
  return yield* withReverts(session, looked)
})
