/** Finds the transactions that executed sent operations by their chain alone, and proves of others that none ever will. */
import { Array, Effect, Metric, Option } from "effect"
import type { Block, ChainSession } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { tentative } from "../chain/PinnedReads.ts"
import { transactionReceipt } from "../chain/Reads.ts"
import { deadProofs } from "../dispatch/FinalProofs.ts"
import type { FinalAndLatest } from "../dispatch/FinalReads.ts"
import { isSearchedAnew } from "../dispatch/LetGo.ts"
import { type SearchedEvents, type SoughtEvents, searchEvents } from "../dispatch/SearchEvents.ts"
import { lookAtHeads, placesToKeep, type SearchHeads, searchedFrom } from "../dispatch/SearchHeads.ts"
import type { AdmittedStanding, Superseded } from "../dispatch/Transport.ts"
import { countExpired } from "../dispatch/TransportMetrics.ts"
import { isOfSession, type OperationBinding, userOperationOf } from "../plans/Binding.ts"
import { mayBeExecuted, type StepFacts } from "../plans/Step.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { OPERATION_TOPIC } from "./OperationEvents.ts"
import { OPERATION_NONCE_CONSUMED, OPERATION_NONCE_PASSED } from "./OperationState.ts"
import { OperationWatchStore } from "./OperationWatchStore.ts"
import { holdsOperation } from "./ScopedLogs.ts"
import { type WalletNonce, walletNonces } from "./WalletNonce.ts"

const PASSED: Superseded = {
  reason: OPERATION_NONCE_PASSED,
  isFinal: true,
  believedReason: OPERATION_NONCE_CONSUMED
}
const NONCE_REASONS: ReadonlyArray<string> = [OPERATION_NONCE_PASSED, OPERATION_NONCE_CONSUMED]

/** An operation that a block may still execute, as far as is known. */
interface OpenOperation extends SoughtEvents {
  readonly id: string
  readonly facts: OperationBinding["operation"]
  /** Of its steps. */
  readonly seen: Pick<StepFacts, "receipt" | "semantic" | "sights">
}

interface LookedOperation extends OpenOperation {
  readonly searched: Option.Option<SearchedEvents>
  /** The wallet's next nonce of the operation's key at the final block. */
  readonly next: Option.Option<WalletNonce>
  readonly hint: Bytes32 | undefined
}

/** The steps of one operation stand together. */
const openOperations =
  (heads: SearchHeads) =>
  (open: ReadonlyArray<AdmittedStanding>): ReadonlyArray<OpenOperation> =>
    Array.dedupeWith(open, (one, other) => one.binding.bindingId === other.binding.bindingId).flatMap(
      ({ binding, facts: seen }) => {
        const facts = userOperationOf(binding)
        if (facts === undefined) return []
        const sought = {
          contract: facts.entryPoint,
          word: facts.operationHash,
          from: searchedFrom(facts, heads)
        }
        return [{ id: binding.bindingId, facts, seen, ...sought }]
      }
    )

/** A bundler's word is worth a look of its own: the transaction counts if its receipt tells of the operation, and one that is too large to be read keeps nothing else from being found. */
const hinted = Effect.fnUntraced(function* (session: ChainSession, { facts, seen }: OpenOperation) {
  const { hint } = facts
  if (hint === null || seen.receipt?.canonical === true) return undefined
  const [told] = yield* Effect.orElseSucceed(session.all([tentative(transactionReceipt(hint))]), () => [])
  const found = told === undefined ? null : Option.getOrNull(told)
  return found !== null && holdsOperation(found.logs, facts) ? hint : undefined
})

const isOver = ({ facts }: OpenOperation, { timestamp }: Block): boolean =>
  timestamp > BigInt(facts.validUntil)

const noncesAt = Effect.fnUntraced(function* (
  session: ChainSession,
  operations: ReadonlyArray<OpenOperation>,
  { final, latest }: { readonly final: Block; readonly latest: Block }
) {
  const heads: FinalAndLatest = {
    final,
    latest: operations.some(each => isOver(each, final)) ? latest : undefined
  }
  const facts = operations.map(open => open.facts)
  return new Map(Array.zip(operations, yield* walletNonces(session, facts, heads)))
})

const lookForAll = Effect.fnUntraced(function* (
  session: ChainSession,
  { session: alone, latest, final }: SearchHeads,
  operations: ReadonlyArray<OpenOperation>
) {
  const both = { concurrency: "unbounded" } as const
  const [searched, nonces, hints] = yield* Effect.all(
    [
      searchEvents(session, OPERATION_TOPIC, operations, latest.number),
      final === null
        ? Effect.succeed(new Map<OpenOperation, never>())
        : noncesAt(session, operations, { final, latest }),
      Effect.forEach(operations, open => hinted(alone, open), both)
    ],
    both
  )
  return operations.map(
    (open, index): LookedOperation => ({
      ...open,
      searched: searched.get(open) ?? Option.none(),
      next: nonces.get(open) ?? Option.none(),
      hint: hints[index]
    })
  )
})

const executionOf = ({ searched }: LookedOperation) => Option.getOrUndefined(searched)?.logs.at(-1)

/** Its nonce is used at the final block, up to which no event of it was found. */
const isPassed = ({ facts, searched, next }: LookedOperation, final: Block | null): boolean =>
  final !== null &&
  Option.exists(searched, ({ to }) => to >= final.number) &&
  Option.exists(next, ({ next, isFinal }) => isFinal && next > BigInt(facts.nonce))

/** Where its chain does not say, it stays as it was told. */
const passedBefore = ({ facts, next, seen: { semantic } }: LookedOperation): Superseded | undefined => {
  const isOpen = Option.exists(next, each => each.next <= BigInt(facts.nonce))
  return !isOpen && semantic?.reason !== undefined && NONCE_REASONS.includes(semantic.reason)
    ? { reason: semantic.reason, isFinal: false }
    : undefined
}

/** Its execution, what the bundler names, that nothing can be, or what was seen of it before. */
const foundOf = (looked: LookedOperation, final: Block | null): Bytes32 | Superseded | undefined => {
  const executed = executionOf(looked)?.transactionHash ?? looked.hint
  if (executed !== undefined) return executed
  if (isPassed(looked, final)) return PASSED
  return passedBefore(looked) ?? looked.seen.receipt?.transactionHash
}

const isDeadAt = (looked: LookedOperation, final: Block): boolean =>
  isOver(looked, final) &&
  Option.exists(looked.next, ({ next }) => next <= BigInt(looked.facts.nonce)) &&
  executionOf(looked) === undefined

const keepDead = Effect.fnUntraced(function* (looked: ReadonlyArray<LookedOperation>, final: Block) {
  const store = yield* OperationWatchStore
  const [ofOwners, ofSessions] = Array.partition(
    looked.filter(operation => isDeadAt(operation, final)),
    ({ facts }) => isOfSession(facts)
  )
  const kept = [
    { transport: "user-operation", dead: ofOwners },
    { transport: "session", dead: ofSessions }
  ] as const
  for (const { transport, dead } of kept) {
    if (dead.length === 0) continue
    const died = yield* store.died(
      dead.map(({ id }) => id),
      final
    )
    yield* Metric.incrementBy(deadProofs, died)
    yield* countExpired(transport, died)
  }
})

/** It must be there, and may be where a node without its logs was looked through by earlier looks. */
const isMissedBefore = (operation: LookedOperation, final: Block | null): boolean => {
  const { facts, seen } = operation
  return (
    facts.searchedBlock !== null &&
    seen.semantic?.reason !== OPERATION_NONCE_CONSUMED &&
    isSearchedAnew(seen.sights) &&
    executionOf(operation) === undefined &&
    isPassed(operation, final)
  )
}

/** What was found is looked for anew until it is stored, and what must be there but was not found is looked for where it was, or from the start. */
const keepPlaces = Effect.fnUntraced(function* (heads: SearchHeads, looked: ReadonlyArray<LookedOperation>) {
  const store = yield* OperationWatchStore
  const [others, missed] = Array.partition(looked, each => isMissedBefore(each, heads.final))
  if (missed.length > 0) yield* store.searchAnew(missed.map(({ id }) => id))
  const unfound = others.flatMap(operation => {
    const { searched, from, id } = operation
    if (Option.isNone(searched) || executionOf(operation) !== undefined) return []
    const { to } = searched.value
    const isMissed = isPassed(operation, heads.final) && to >= heads.latest.number
    return isMissed ? [] : [{ of: [id], from, to }]
  })
  const kept = yield* placesToKeep(heads, unfound)
  yield* Effect.forEach(kept, ({ of, place }) => store.searched(of, place), { discard: true })
})

/** In two round trips, whatever is looked for, and one beside the second for each word of a bundler. */
const located = Effect.fnUntraced(function* (chainId: number, open: ReadonlyArray<AdmittedStanding>) {
  const heads = yield* lookAtHeads(
    chainId,
    open.flatMap(({ binding }) => userOperationOf(binding) ?? [])
  )
  const together = batched(heads.session)
  const looked = yield* lookForAll(together, heads, openOperations(heads)(open))
  yield* failpoint("operation.located")
  if (heads.final !== null) yield* keepDead(looked, heads.final)
  yield* keepPlaces(heads, looked)
  return new Map(looked.map(operation => [operation.id, foundOf(operation, heads.final)] as const))
})

/** What has the nonce of one that is dead is no matter of its looks any more. */
const foundBefore = ({ receipt, semantic }: StepFacts): Bytes32 | Superseded | undefined =>
  semantic?.reason === OPERATION_NONCE_CONSUMED
    ? { reason: semantic.reason, isFinal: true }
    : receipt?.transactionHash

const namesOf = (ids: ReadonlyArray<string>): string => [...new Set(ids)].join(" ")

/** What is executed stays where it was found, until its block is gone. */
export const locateOperations = Effect.fn("Operation.locate")(function* (
  chainId: number,
  steps: ReadonlyArray<AdmittedStanding>
) {
  const open = steps.filter(({ facts }) => mayBeExecuted(facts))
  yield* Effect.annotateCurrentSpan({
    chain: chainId,
    plan: namesOf(steps.map(({ planId }) => planId)),
    operation: namesOf(steps.map(({ binding }) => binding.bindingId))
  })
  const found: ReadonlyMap<string, Bytes32 | Superseded | undefined> =
    open.length === 0 ? new Map() : yield* located(chainId, open)
  return steps.map(({ facts, binding }) =>
    mayBeExecuted(facts) ? found.get(binding.bindingId) : foundBefore(facts)
  )
})
