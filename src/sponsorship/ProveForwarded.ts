/** Proves by a transaction's receipt and its block what became of a published request, whoever sent it and in whatever shape. */
import { Effect, Option } from "effect"
import type { Receipt } from "../chain/ChainClient.ts"
import { code as codeAt, tentative } from "../chain/PinnedReads.ts"
import { type RpcFailure, RpcInvalidResponse } from "../chain/refusals.ts"
import {
  type SentTransaction,
  sentTransaction,
  type TracedCall,
  transactionTrace
} from "../chain/TraceReads.ts"
import type { AskTrace } from "../dispatch/SharedTraces.ts"
import {
  type AdmittedStanding,
  STATE_UNAVAILABLE,
  type Tracking,
  type TransactionProof
} from "../dispatch/Transport.ts"
import { forwardRequestOf } from "../plans/Binding.ts"
import type { ExecutionProof, Semantic } from "../plans/Plan.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { Hex } from "../values/Scalars.ts"
import {
  type ExecutedRequest,
  executedBy,
  forwarderCall,
  isAllThereIs,
  isWhollyExecuted,
  type PublishedRequest,
  signersOf,
  timesIn
} from "./ForwardedCalls.ts"
import { EXECUTION_NOT_OURS, FORWARD_NONCE_CONSUMED } from "./SponsorshipState.ts"

const doubted = (reason: string): TransactionProof => ({ _tag: "Doubted", reason })
const superseded: TransactionProof = {
  _tag: "Superseded",
  reason: EXECUTION_NOT_OURS,
  finalReason: FORWARD_NONCE_CONSUMED
}
const UNPROVED = { _tag: "Doubted", reason: "EXECUTION_SHAPE_UNPROVED" } as const

const FAILED_WITHIN: Semantic = {
  status: "failed",
  verifier: "forwarder",
  reason: "the forwarder says that the forwarded call did not succeed"
}

/** The request that a step was published with, if it left so. */
export const publishedRequest = ({
  account,
  call,
  binding
}: AdmittedStanding): PublishedRequest | undefined => {
  const request = forwardRequestOf(binding)
  return request && { account, call, request }
}

/** The transaction is nothing but the forwarder's `execute` of this request. */
export const isItsExecution = (
  published: PublishedRequest,
  { to, input, value }: SentTransaction
): boolean => {
  const called = to?.toLowerCase() === published.request.forwarder ? forwarderCall(input) : undefined
  return (
    called?.kind === "execute" && timesIn(called, published) === 1 && String(value) === published.call.value
  )
}

type Shape = ExecutionProof | "other" | "unread"

interface Executed {
  /** Of the wallet. */
  readonly own: ReadonlyArray<ExecutedRequest>
  readonly signers: ReadonlyArray<string | undefined>
}

/** A request may call the forwarder again: what was executed within is read by a trace alone. */
const outerShape = (
  published: PublishedRequest,
  { to, input }: SentTransaction,
  { own, signers }: Executed
): Shape => {
  const called = to?.toLowerCase() === published.request.forwarder ? forwarderCall(input) : undefined
  if (called === undefined) return "unread"
  const times = timesIn(called, published)
  if (times === 0) return isAllThereIs(called, signers) ? "other" : "unread"
  if (times > 1) return "unread"
  if (called.kind === "execute") return own.length === 1 ? "direct" : "unread"
  return isWhollyExecuted(called, published, own, signers) ? "batched" : "unread"
}

/** Whether the forwarder made the request's call, for whoever signed it. */
const isMade = ({ account, call, request }: PublishedRequest, calls: ReadonlyArray<TracedCall>): boolean => {
  const input = `${call.data}${account.slice(2).toLowerCase()}`
  return calls.some(
    each =>
      each.kind === "CALL" &&
      each.within?.undone === false &&
      each.from === request.forwarder &&
      each.to === call.to.toLowerCase() &&
      each.value === BigInt(call.value) &&
      each.input === input
  )
}

/** By the forwarder's calls that stood. */
const tracedShape = (published: PublishedRequest, calls: ReadonlyArray<TracedCall>): Shape => {
  const standing = calls.filter(
    ({ kind, to, undone }) => kind === "CALL" && !undone && to === published.request.forwarder
  )
  const read = standing.map(({ input }) => forwarderCall(input))
  const times = read.reduce((sum, called) => sum + (called === undefined ? 0 : timesIn(called, published)), 0)
  if (times === 1) return isMade(published, calls) ? "traced" : "other"
  const isWhollyRead = standing.length > 0 && read.every(called => called !== undefined)
  return times === 0 && isWhollyRead ? "other" : "unread"
}

const shapeOf = Effect.fnUntraced(function* (
  trace: AskTrace,
  published: PublishedRequest,
  sent: SentTransaction,
  executed: Executed
) {
  const outer = outerShape(published, sent, executed)
  if (outer !== "unread") return outer
  const told = yield* trace(transactionTrace(sent.hash))
  if (told._tag === "Unread") return told
  return tracedShape(published, told.calls)
})

interface Proving {
  readonly step: AdmittedStanding
  readonly published: PublishedRequest
  readonly receipt: Receipt
  readonly trace: AskTrace
}

/** What executed nothing of a request, as a batch that reverts or passes it over, spends no nonce of it: it is not there, unless this very block showed it before. */
const unseen = ({ step, receipt }: Proving): TransactionProof =>
  step.facts.receipt?.blockHash === receipt.blockHash && receipt.status === "success"
    ? doubted("EXECUTION_EVENT_NOT_ONE")
    : { _tag: "Absent" }

const judged = Effect.fnUntraced(function* (proving: Proving, sent: SentTransaction) {
  const { published, trace } = proving
  const { status, logs } = proving.receipt
  const { forwarder, nonce } = published.request
  if (status === "reverted")
    return isItsExecution(published, sent) ? ({ _tag: "Proved", status, logs } as const) : unseen(proving)
  const own = executedBy(logs, forwarder, published.account)
  const [executed, another] = own.filter(event => event.nonce === nonce)
  if (executed === undefined) return unseen(proving)
  if (another !== undefined) return doubted("EXECUTION_EVENT_NOT_ONE")
  const proof = yield* shapeOf(trace, published, sent, { own, signers: signersOf(logs, forwarder) })
  if (proof === "other") return superseded
  if (proof === "unread") return UNPROVED
  if (typeof proof === "object") return { ...UNPROVED, ...proof } as const
  const found = { _tag: "Proved", logs, proof, forwarded: { nonce } } as const
  const outcome: TransactionProof = executed.isSuccess
    ? { ...found, status: "success" }
    : { ...found, status: "reverted", failure: FAILED_WITHIN }
  return outcome
})

interface AtBlock {
  readonly transaction: SentTransaction
  /** Of the forwarder; none where the node has the state no more. */
  readonly code: Option.Option<Hex>
}

const provedBy = (
  proving: Proving,
  { transaction, code }: AtBlock
): Effect.Effect<TransactionProof, RpcFailure> => {
  if (Option.isNone(code)) return Effect.succeed({ _tag: "Unread", reason: STATE_UNAVAILABLE })
  return codeHash(code.value) === proving.published.request.forwarderCodeHash
    ? judged(proving, transaction)
    : Effect.succeed(doubted("FORWARDER_CODE_CHANGED"))
}

/** The code and the transaction come with the looks beside them in one round trip; only an unusual shape takes another. */
export const proveForwarded: Tracking["prove"] = Effect.fn("Sponsorship.prove")(
  function* (session, step, receipt, trace) {
    const { planId, step: index, binding } = step
    yield* Effect.annotateCurrentSpan({ plan: planId, step: index, sponsorship: binding.bindingId })
    const published = publishedRequest(step)
    if (published === undefined) return yield* Effect.dieMessage("the step left by another transport")
    const forwarder: Hex = published.request.forwarder
    const [told, sent] = yield* session.all([
      tentative(codeAt(forwarder, receipt.blockHash)),
      tentative(sentTransaction(receipt.transactionHash))
    ])
    const transaction = Option.getOrNull(sent)
    if (transaction === null) return yield* new RpcInvalidResponse()
    const proof = yield* provedBy({ step, published, receipt, trace }, { transaction, code: told })
    yield* failpoint("sponsor.proved")
    return proof
  }
)
