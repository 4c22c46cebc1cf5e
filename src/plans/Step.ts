/** The state machine of a step: pure, from what is stored and what a chain shows. */
import { type Binding, forwardRequestOf, transactionOf, userOperationOf } from "./Binding.ts"
import type {
  Call,
  Dispatch,
  DispatchStatus,
  ExecutionProof,
  ExternalState,
  Semantic,
  Step,
  StepState,
  StoredReceipt
} from "./Plan.ts"
import type { StepRevert } from "./StepRevert.ts"

export type ObservedState = Extract<
  StepState,
  "submitted" | "unknown" | "confirming" | "confirmed" | "reverted" | "reorged"
>

export interface Lease {
  readonly hash: `0x${string}`
  readonly count: number
  readonly reservedAt: number
  readonly expiresAt: number
  readonly outcome: Exclude<DispatchStatus, "in-flight"> | null
  readonly broadcastAt: number | null
}

/** How often it was seen that something else has its nonce for good, and when that was counted last, in milliseconds. */
export interface Sights {
  readonly count: number
  readonly at: number
}

/** What is stored of one step. */
export interface StepFacts {
  readonly binding: Binding | undefined
  readonly lease: Lease | undefined
  readonly observed: ObservedState | undefined
  readonly receipt: StoredReceipt | undefined
  readonly semantic: Semantic | undefined
  readonly revert: StepRevert | undefined
  /** Of a request that a transaction of others executed, whether its call succeeded or not. */
  readonly proof: ExecutionProof | undefined
  readonly sights?: Sights | undefined
}

export const isSatisfied = (facts: StepFacts): boolean =>
  facts.observed === "confirmed" &&
  facts.receipt?.canonical === true &&
  facts.receipt.status === "success" &&
  (facts.semantic?.status === "verified" || facts.semantic?.status === "unmodeled")

/** Of what others execute: no block can execute it any more. */
export const isDead = ({ binding }: StepFacts): boolean =>
  (forwardRequestOf(binding) ?? userOperationOf(binding))?.isDead === true

/** It was executed, whether its call succeeded or not, or something that may be it succeeded; an operation's transaction always holds its event. */
const isExecuted = ({ binding, receipt, proof }: StepFacts): boolean =>
  receipt?.canonical === true &&
  (receipt.status === "success" || proof !== undefined || userOperationOf(binding) !== undefined)

/** A transaction that failed around what others execute does not use it up: another may still execute it. */
export const mayBeExecuted = (facts: StepFacts): boolean => {
  const { binding } = facts
  const isOfOthers = forwardRequestOf(binding) !== undefined || userOperationOf(binding) !== undefined
  return isOfOthers && !isDead(facts) && !isExecuted(facts)
}

/** The nearest predecessors that are not satisfied: behind a satisfied one, what it rests on may have left its chain. */
export const blockersOf = (
  call: Call,
  calls: ReadonlyArray<Call>,
  facts: ReadonlyArray<StepFacts>
): ReadonlyArray<number> => {
  const holds = (index: number) => isSatisfied(facts[index] ?? EMPTY_FACTS)
  const reached = new Set(call.dependsOn)
  for (const index of reached) {
    const behind = holds(index) ? calls[index]?.dependsOn : undefined
    for (const earlier of behind ?? []) reached.add(earlier)
  }
  return [...reached].filter(index => !holds(index))
}

/** An expired lease without outcome means that nobody can say whether the bytes left. */
export const claimStatus = ({ outcome, expiresAt }: Lease, now: number): DispatchStatus => {
  if (outcome !== null) return outcome
  return expiresAt > now ? "in-flight" : "unknown"
}

/** Its chain was looked at since its claim, and does not show that the bytes are there. */
export const isLost = ({ observed, receipt }: StepFacts): boolean =>
  (observed === "unknown" || observed === "reorged") && receipt?.canonical !== true

/** Nothing more leaves while a claim lives: of bytes that were lost within it, that is all that can be said. */
const dispatchStatus = (facts: StepFacts, lease: Lease, now: number): DispatchStatus => {
  const status = claimStatus(lease, now)
  return status !== "unknown" && lease.expiresAt > now && isLost(facts) ? "in-flight" : status
}

const admittedState = (facts: StepFacts, now: number): Exclude<StepState, "ready" | "blocked"> => {
  if (facts.observed !== undefined) return facts.observed
  if (facts.lease === undefined) return "unknown"
  const status = claimStatus(facts.lease, now)
  if (status === "in-flight") return "reserved"
  return status === "unknown" ? "unknown" : "submitted"
}

const stepState = (facts: StepFacts, blockedBy: ReadonlyArray<number>, now: number): StepState => {
  if (facts.binding !== undefined) return admittedState(facts, now)
  return blockedBy.length === 0 ? "ready" : "blocked"
}

const UNCERTAIN = {
  code: "BROADCAST_UNCERTAIN",
  message: "Whether the transaction left is not known; its hash is being reconciled with the chain."
} as const

const UNHEARD = {
  code: "BROADCAST_UNCERTAIN",
  message: "Whether the request was taken is not known; nothing of it is sent again, and its chain tells."
} as const

/** Only a transaction's own bytes may be sent again. */
const dispatchOf = (facts: StepFacts, lease: Lease, now: number): Dispatch => {
  const status = dispatchStatus(facts, lease, now)
  const isTransaction = transactionOf(facts.binding) !== undefined
  return {
    status,
    hash: lease.hash,
    count: lease.count,
    reservedAt: lease.reservedAt,
    ...(lease.broadcastAt === null ? {} : { broadcastAt: lease.broadcastAt }),
    ...(status === "in-flight" && isTransaction ? { retryAfterMs: lease.expiresAt - now } : {}),
    ...(status === "unknown" ? { error: isTransaction ? UNCERTAIN : UNHEARD } : {})
  }
}

export const externalState = (facts: StepFacts, now: number): ExternalState => {
  if (isDead(facts) && !isExecuted(facts)) return "lapsed"
  const state = admittedState(facts, now)
  return state === "reserved" || state === "submitted" ? "pending" : state
}

type ShownExecution = Pick<Step, "transaction" | "execution" | "externalExecution">

/** The wallet's own transaction is told whole. */
const executionOf = (
  facts: StepFacts,
  binding: Binding,
  call: Call | undefined,
  now: number
): ShownExecution => {
  const { transport, bindingId } = binding
  if (binding.transport === "signed-eoa-transaction") {
    const { hash, transaction } = binding
    return { transaction, execution: { transport, bindingId, chainId: transaction.chainId, hash } }
  }
  if (call === undefined) return {}
  const about = { transport, bindingId, chainId: call.chainId }
  const hash = facts.receipt?.transactionHash
  return {
    execution: { ...about, ...(hash === undefined ? {} : { hash }) },
    externalExecution: {
      ...about,
      ...(hash === undefined ? {} : { transactionHash: hash }),
      state: externalState(facts, now)
    }
  }
}

const shownSemantic = ({ semantic, revert }: StepFacts): Pick<Step, "semantic"> => {
  if (semantic === undefined) return {}
  return {
    semantic: semantic.status === "failed" && revert !== undefined ? { ...semantic, revert } : semantic
  }
}

export const publicStep = (
  index: number,
  calls: ReadonlyArray<Call>,
  all: ReadonlyArray<StepFacts>,
  now: number
): Step => {
  const facts = all[index] ?? EMPTY_FACTS
  const call = calls[index]
  const blockedBy = call === undefined ? [] : blockersOf(call, calls, all)
  const { binding, lease, receipt } = facts
  return {
    index,
    state: stepState(facts, blockedBy, now),
    blockedBy,
    ...(lease === undefined ? {} : { dispatch: dispatchOf(facts, lease, now) }),
    ...(binding === undefined ? {} : executionOf(facts, binding, call, now)),
    ...(receipt === undefined ? {} : { receipt }),
    ...shownSemantic(facts)
  }
}

export const EMPTY_FACTS: StepFacts = {
  binding: undefined,
  lease: undefined,
  observed: undefined,
  receipt: undefined,
  semantic: undefined,
  revert: undefined,
  proof: undefined
}
