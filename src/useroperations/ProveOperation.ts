/** Proves by a transaction's receipt and its block what became of a sent operation, in whatever bundle it was executed. */
import { Effect, Either, Option } from "effect"
import type { ChainSession, Receipt } from "../chain/ChainClient.ts"
import { code as codeAt, tentative } from "../chain/PinnedReads.ts"
import { loggedTrace } from "../chain/TraceReads.ts"
import type { AskTrace } from "../dispatch/SharedTraces.ts"
import {
  type AdmittedStanding,
  STATE_UNAVAILABLE,
  type Tracking,
  type TransactionProof
} from "../dispatch/Transport.ts"
import { type OperationBinding, userOperationOf } from "../plans/Binding.ts"
import type { Semantic } from "../plans/Plan.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { failpoint } from "../values/Failpoint.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { OperationWatchStore } from "./OperationWatchStore.ts"
import { holdsOperation, type Scoped, scopedLogs } from "./ScopedLogs.ts"
import { splitLogs } from "./SplitLogs.ts"

type Facts = OperationBinding["operation"]

interface Proving {
  readonly session: ChainSession
  readonly step: AdmittedStanding
  readonly facts: Facts
  readonly receipt: Receipt
  readonly trace: AskTrace
}

const doubted = (reason: string): TransactionProof => ({ _tag: "Doubted", reason })

const FAILED_WITHIN: Semantic = {
  status: "failed",
  verifier: "entry-point",
  reason: "the entry point says that the operation's execution did not succeed"
}

/** Which logs are of which call, no event tells. */
const UNSPLIT = {
  _tag: "Doubted",
  reason: "SEVERAL_CALLS_IN_OPERATION",
  proof: "operation"
} as const satisfies TransactionProof

const split = Effect.fnUntraced(function* ({ step, facts, receipt, trace }: Proving, { logs }: Scoped) {
  const told = yield* trace(loggedTrace(receipt.transactionHash))
  if (told._tag === "Unread") return { ...UNSPLIT, ...told } satisfies TransactionProof
  const own = splitLogs(told, { facts, call: step.call, scoped: logs })
  return own === undefined
    ? UNSPLIT
    : ({ _tag: "Proved", status: "success", logs: own, proof: "traced" } satisfies TransactionProof)
})

const judged = (proving: Proving, scoped: Scoped, isTraced: boolean) => {
  const { event, logs } = scoped
  const found = { _tag: "Proved", logs, proof: "operation" } as const
  if (!event.isSuccess)
    return Effect.succeed<TransactionProof>({ ...found, status: "reverted", failure: FAILED_WITHIN })
  if (proving.facts.calls === 1) return Effect.succeed<TransactionProof>({ ...found, status: "success" })
  return isTraced ? split(proving, scoped) : Effect.succeed(UNSPLIT)
}

/** Of all its steps by one; what is not kept now is kept when it is looked at again. */
const keep = Effect.fnUntraced(function* (
  store: OperationWatchStore["Type"],
  { step, facts, receipt }: Proving,
  { event, logs }: Scoped
) {
  if (facts.position !== 0 || facts.observedBlock === receipt.blockHash) return
  yield* store.observed({
    id: step.binding.bindingId,
    block: receipt.blockHash,
    scopedCount: logs.length,
    scopedHash: keccak256Utf8(canonicalJson(logs)),
    actualGasCost: event.actualGasCost
  })
})

/** Without its event it is not there, unless this very block showed it before. */
const unseen = ({ step, receipt }: Proving): TransactionProof =>
  step.facts.receipt?.blockHash === receipt.blockHash && receipt.status === "success"
    ? doubted("OPERATION_EVENT_NOT_ONE")
    : { _tag: "Absent" }

const pinsDoubt = Effect.fnUntraced(function* ({ session, facts, receipt }: Proving) {
  const [entryPoint, wallet] = yield* session.all([
    tentative(codeAt(facts.entryPoint, receipt.blockHash)),
    tentative(codeAt(facts.sender, receipt.blockHash))
  ])
  if (Option.isNone(entryPoint) || Option.isNone(wallet))
    return { _tag: "Unread", reason: STATE_UNAVAILABLE } satisfies TransactionProof
  if (codeHash(entryPoint.value) !== facts.entryPointCodeHash) return doubted("ENTRY_POINT_CODE_CHANGED")
  return codeHash(wallet.value) === facts.walletCodeHash ? undefined : doubted("WALLET_CODE_CHANGED")
})

const proved = Effect.fnUntraced(function* (
  store: OperationWatchStore["Type"],
  proving: Proving,
  isTraced: boolean
) {
  const { receipt, facts } = proving
  if (!holdsOperation(receipt.logs, facts)) return unseen(proving)
  const doubt = yield* pinsDoubt(proving)
  if (doubt !== undefined) return doubt
  const scoped = scopedLogs(receipt.logs, facts)
  if (Either.isLeft(scoped)) return doubted(scoped.left)
  yield* Effect.ignore(keep(store, proving, scoped.right))
  return yield* judged(proving, scoped.right, isTraced)
})

/** The codes come with the looks beside them in one round trip; only the split of several calls takes another. */
export const proveOperation = (
  store: OperationWatchStore["Type"],
  { isTraced }: { readonly isTraced: boolean }
): Tracking["prove"] =>
  Effect.fn("Operation.prove")(function* (session, step, receipt, trace) {
    const { planId, step: index, binding } = step
    yield* Effect.annotateCurrentSpan({ plan: planId, step: index, operation: binding.bindingId })
    const facts = userOperationOf(binding)
    if (facts === undefined) return yield* Effect.dieMessage("the step left by another transport")
    const proof = yield* proved(store, { session, step, facts, receipt, trace }, isTraced)
    yield* failpoint("operation.proved")
    return proof
  })
