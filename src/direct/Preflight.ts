/** Whether the exact transaction would go through now: evidence, nonce, fee, balance, simulation and gas on one endpoint. */
import { Effect, Option } from "effect"
import { believingReverts } from "../chain/BelievedRevert.ts"
import {
  type Answers,
  type Block,
  type CallOutcome,
  ChainClient,
  type ChainSession,
  type EstimateOutcome,
  type KnownTransaction
} from "../chain/ChainClient.ts"
import { balance, gasEstimate, simulatedCall, tentative } from "../chain/PinnedReads.ts"
import { blockByNumber, latestBlock, transactionByHash, transactionCount } from "../chain/Reads.ts"
import { RpcBehind, RpcInvalidResponse } from "../chain/refusals.ts"
import { SteadyHeads } from "../chain/SteadyHeads.ts"
import { refuseFailedCall } from "../dispatch/FailedCall.ts"
import { SenderBalanceTooLow } from "../dispatch/refusals.ts"
import type { Candidate } from "../dispatch/Transport.ts"
import { PlanEvidenceReorged } from "../plans/refusals.ts"
import { stage } from "../telemetry/Requests.ts"
import type { Evidence } from "../values/Evidence.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { NonceNotReady, SignedFeeBelowBaseFee, SignedGasTooLow } from "./refusals.ts"
import type { SignedTransaction } from "./SignedTransaction.ts"

export interface Sighting {
  /** The node has the transaction. */
  readonly known: boolean
  /** In a block of before the plan was made. */
  readonly isEarlier: boolean
  readonly head: Block
  readonly nonces: { readonly latest: bigint; readonly pending: bigint }
  /** At the height of the plan's evidence; a node that is behind has none. */
  readonly planned: Block | null
  /** What the transaction's own run at that very head gave, where it was asked with it and went well. */
  readonly run: Run | undefined
}

interface Run {
  readonly funds: bigint
  readonly outcome: CallOutcome
  readonly estimate: EstimateOutcome
}

const looking = ({ chainId, sender, hash }: SignedTransaction, { blockNumber }: Evidence) =>
  [
    transactionByHash(hash),
    latestBlock(chainId),
    transactionCount(sender, "latest"),
    transactionCount(sender, "pending"),
    blockByNumber(chainId, BigInt(blockNumber))
  ] as const

export const isBefore = ({ blockNumber }: KnownTransaction, evidence: Evidence): boolean =>
  blockNumber !== null && blockNumber <= BigInt(evidence.blockNumber)

/** What its access list costs comes with it. */
const exactCall = ({ sender, to, data, value, accessList }: SignedTransaction) => ({
  from: sender,
  ...{ to, data, value, accessList }
})

const running = (transaction: SignedTransaction, at: Bytes32) =>
  [
    balance(transaction.sender, at),
    simulatedCall(exactCall(transaction), at),
    gasEstimate(exactCall(transaction), at)
  ] as const

const foreseeing = (transaction: SignedTransaction, at: Bytes32) => {
  const [funds, outcome, estimate] = running(transaction, at)
  return [tentative(funds), tentative(outcome), tentative(estimate)] as const
}

const sightingOf = (
  [known, head, latest, pending, planned]: Answers<ReturnType<typeof looking>>,
  evidence: Evidence
): Sighting => ({
  known: known !== null,
  isEarlier: known !== null && isBefore(known, evidence),
  head,
  nonces: { latest, pending },
  planned,
  run: undefined
})

/** A run that did not go well is asked for again, where the head is known. */
const runOf = ([funds, outcome, estimate]: Answers<ReturnType<typeof foreseeing>>): Run | undefined =>
  Option.getOrUndefined(
    Option.filter(
      Option.all({ funds, outcome, estimate }),
      run => run.outcome._tag === "Returned" && run.estimate._tag === "Estimated"
    )
  )

/** One round trip: does the node know the hash, and where do the head, the evidence and the wallet's nonce stand? */
const look = Effect.fnUntraced(function* (transaction: SignedTransaction, evidence: Evidence) {
  const reads = looking(transaction, evidence)
  const { session, answers } = yield* (yield* ChainClient).begin(transaction.chainId, reads)
  return { session, sighting: sightingOf(answers, evidence) }
})

/** The same with the transaction's run at the head that is foreseen. */
const lookAndRun = Effect.fnUntraced(function* (
  transaction: SignedTransaction,
  evidence: Evidence,
  foreseen: Block
) {
  const reads = [...foreseeing(transaction, foreseen.hash), ...looking(transaction, evidence)] as const
  const { session, answers } = yield* (yield* ChainClient).begin(transaction.chainId, reads)
  const [funds, outcome, estimate, ...seen] = answers
  const sighting = sightingOf(seen, evidence)
  const isHead = sighting.head.hash === foreseen.hash
  return { session, sighting: { ...sighting, run: isHead ? runOf([funds, outcome, estimate]) : undefined } }
})

/** What is likely to be sent is run in the same round trip where the head is likely to be known. */
export const sight = Effect.fnUntraced(function* (
  transaction: SignedTransaction,
  evidence: Evidence,
  { isFirst }: { readonly isFirst: boolean }
) {
  const heads = yield* SteadyHeads
  const foreseen = isFirst ? yield* heads.recall(transaction.chainId) : undefined
  const seen = yield* foreseen === undefined
    ? look(transaction, evidence)
    : lookAndRun(transaction, evidence, foreseen)
  yield* heads.note(seen.sighting.head)
  return seen
}, stage("Preflight.sight"))

/** On the endpoint that a submission is preflighted and sent on. */
export interface SeenHead {
  readonly session: ChainSession
  readonly sighting: Sighting
}

const checkEvidence = Effect.fnUntraced(function* ({ blockHash }: Evidence, planned: Block | null) {
  if (planned === null)
    return yield* new RpcBehind({
      detail: "The chain's node does not have the block that the plan rests on."
    })
  if (planned.hash !== blockHash) return yield* new PlanEvidenceReorged()
})

/** One that was spent comes back by no waiting. */
const nonceNotReady = (signed: bigint, { latest, pending }: Sighting["nonces"]) =>
  new NonceNotReady({
    context: { signed: String(signed), latest: String(latest), pending: String(pending) },
    ...(signed < latest && {
      detail: `The wallet's nonce ${signed} is spent, and the chain does not show this transaction: look at what the wallet sent before the same is done again.`,
      retryable: false
    })
  })

const checkStanding = Effect.fnUntraced(function* (
  { signed: transaction, evidence, isAdmitted }: Candidate<SignedTransaction>,
  { nonces, head, planned }: Sighting
) {
  if (!isAdmitted) yield* checkEvidence(evidence, planned)
  if (transaction.nonce !== nonces.pending || nonces.pending < nonces.latest)
    return yield* nonceNotReady(transaction.nonce, nonces)
  if (head.baseFeePerGas !== null && transaction.maximumFeePerGas < head.baseFeePerGas)
    return yield* new SignedFeeBelowBaseFee({ context: { baseFeePerGas: String(head.baseFeePerGas) } })
})

const runAt = (session: ChainSession, transaction: SignedTransaction, at: Bytes32) =>
  Effect.map(
    session.all(running(transaction, at)),
    ([funds, outcome, estimate]): Run => ({
      funds,
      outcome,
      estimate
    })
  )

const checkAt = Effect.fnUntraced(function* (
  session: ChainSession,
  candidate: Candidate<SignedTransaction>,
  sighting: Sighting
) {
  const { call, signed: transaction } = candidate
  yield* checkStanding(candidate, sighting)
  yield* failpoint("preflight.standing")
  const { funds, outcome, estimate } =
    sighting.run ?? (yield* runAt(session, transaction, sighting.head.hash))
  yield* failpoint("preflight.simulated")
  if (funds < transaction.maximumCost)
    return yield* new SenderBalanceTooLow({
      context: { balance: String(funds), maximumCost: String(transaction.maximumCost) }
    })
  yield* refuseFailedCall(call, outcome)
  const needed = yield* refuseFailedCall(call, estimate)
  if (needed._tag !== "Estimated") return yield* new RpcInvalidResponse()
  if (transaction.gas < needed.gas)
    return yield* new SignedGasTooLow({
      context: { gas: String(transaction.gas), estimated: String(needed.gas) }
    })
})

export const preflightTransaction = Effect.fnUntraced(function* (
  { session, sighting }: SeenHead,
  candidate: Candidate<SignedTransaction>
) {
  const { signed, evidence } = candidate
  yield* believingReverts(sighting, {
    headOf: ({ head }) => head.hash,
    anew: Effect.map(session.all(looking(signed, evidence)), answers => sightingOf(answers, evidence)),
    run: current => checkAt(session, candidate, current)
  })
}, stage("Preflight.run"))
