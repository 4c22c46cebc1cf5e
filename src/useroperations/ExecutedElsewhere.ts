/** Whether operations that were never sent from here were executed all the same: whoever has one as it is signed can have another bundler carry it. */
import { Array, Effect, Option } from "effect"
import { type Block, ChainClient, type ChainSession } from "../chain/ChainClient.ts"
import { blockByNumber } from "../chain/Reads.ts"
import { type RpcFailure, RpcUnavailable } from "../chain/refusals.ts"
import { type SearchedEvents, type SoughtEvents, searchEvents } from "../dispatch/SearchEvents.ts"
import { FINAL_CONFIRMATIONS, lookAtHeads, searchedFrom } from "../dispatch/SearchHeads.ts"
import type { Address } from "../values/Scalars.ts"
import { entryPointNumber, nonceQuestion } from "./EntryPointNumber.ts"
import { OPERATION_TOPIC } from "./OperationEvents.ts"
import { nextOperationNonce, nonceKeyOf } from "./OperationPreflight.ts"
import { OperationWatchStore } from "./OperationWatchStore.ts"
import type { Elsewhere } from "./PublicUserOperation.ts"
import { UserOperationConflict } from "./refusals.ts"
import {
  hasLeftOtherwise,
  isOverdue,
  type StoredUserOperation,
  type UnsentOperation
} from "./UserOperationRow.ts"
import { UserOperationStore } from "./UserOperationStore.ts"

interface SoughtOperation extends SoughtEvents {
  readonly operation: UnsentOperation
}

/** Each goes on where the one before ended. */
const MOST_LOOKS = 8

/** Who takes this for "no" would do the same by another operation. */
export const untold = ({ id }: Pick<UnsentOperation, "id">) =>
  new RpcUnavailable({ detail: `The chain's node does not say whether the operation ${id} was executed.` })

/** Empty where no later block can have executed it. */
const leftOf = Effect.fnUntraced(function* (
  session: ChainSession,
  sought: SoughtOperation,
  searched: Option.Option<SearchedEvents>,
  latest: bigint
) {
  const { operation } = sought
  const { to } = yield* Effect.mapError(searched, () => untold(operation))
  if (to >= latest) return []
  const [block] = yield* session.all([blockByNumber(session.chainId, to)])
  const isOver = block !== null && block.timestamp > BigInt(operation.validUntil)
  return isOver ? [] : [{ ...sought, from: to + 1n }]
})

const lookFor = Effect.fnUntraced(function* (
  session: ChainSession,
  sought: ReadonlyArray<SoughtOperation>,
  latest: bigint
) {
  const found = yield* searchEvents(session, OPERATION_TOPIC, sought, latest)
  const searchedOf = (each: SoughtOperation) => found.get(each) ?? Option.none<SearchedEvents>()
  const executed = sought.find(each => Option.exists(searchedOf(each), ({ logs }) => logs.length > 0))
  if (executed !== undefined) return { executed: executed.operation, left: [] }
  const left = yield* Effect.forEach(sought, each => leftOf(session, each, searchedOf(each), latest), {
    concurrency: "unbounded"
  })
  return { executed: undefined, left: left.flat() }
})

type Executed = Effect.Effect<UnsentOperation | undefined, RpcFailure, OperationWatchStore>

/** So deep that it stays: whoever looks next goes on from there. */
const keepReached = Effect.fnUntraced(function* (
  session: ChainSession,
  left: ReadonlyArray<SoughtOperation>,
  latest: bigint
) {
  const { searched } = yield* OperationWatchStore
  const deep = left.filter(({ from }) => from + FINAL_CONFIRMATIONS <= latest)
  for (const same of Object.values(Array.groupBy(deep, ({ from }) => String(from)))) {
    const number = same[0].from - 1n
    const [block] = yield* session.all([blockByNumber(session.chainId, number)])
    const ids = same.map(({ operation }) => operation.id)
    if (block !== null) yield* searched(ids, { number, hash: block.hash, isPartway: false })
  }
}, Effect.ignore)

const lookOn = (
  session: ChainSession,
  sought: ReadonlyArray<SoughtOperation>,
  latest: bigint,
  looksLeft: number
): Executed =>
  Effect.flatMap(lookFor(session, sought, latest), ({ executed, left }): Executed => {
    const [next] = left
    if (executed !== undefined || next === undefined) return Effect.succeed(executed)
    return looksLeft > 1
      ? lookOn(session, left, latest, looksLeft - 1)
      : Effect.zipRight(keepReached(session, left, latest), untold(next.operation))
  })

/** The first that was executed up to this block; refused where the chain does not say of one. */
const executedAmong = (
  session: ChainSession,
  contract: Address,
  operations: ReadonlyArray<UnsentOperation>,
  latest: bigint
): Executed => {
  const numbers = [...new Set(operations.flatMap(({ searchedBlock }) => searchedBlock ?? []))]
  const reached = session.all(numbers.map(number => blockByNumber(session.chainId, BigInt(number))))
  return Effect.flatMap(reached, blocks => {
    const places = new Map(numbers.map((number, index) => [number, blocks[index] ?? null]))
    const sought = operations.map(operation => {
      const from = searchedFrom(operation, { places })
      return { contract, word: operation.operationHash, from, operation }
    })
    return lookOn(session, sought, latest, MOST_LOOKS)
  })
}

/** Passed by: another one used its nonce, in a block that is not final yet. */
type FateElsewhere = Exclude<Elsewhere, "unknown"> | "passed-by"

/** Of an operation that was not sent from here: that it was executed any block shows, that it never can be only a final one. Refused where its chain does not say. */
export const fateElsewhere = Effect.fn("ExecutedElsewhere.look")(function* (stored: StoredUserOperation) {
  const { chainId, entryPoint, operation, signing } = stored
  const { session, latest, final } = yield* lookAtHeads(chainId, [])
  const nonce = BigInt(operation.nonce)
  const isPassedAt = (block: Block) =>
    Effect.map(nextOperationNonce({ session, block }, stored), next => next > nonce)
  const told = (fate: FateElsewhere) => fate
  if (!(yield* isPassedAt(latest)))
    return told(final !== null && final.timestamp > BigInt(signing.validUntil) ? "lapsed" : "open")
  const sought = yield* (yield* UserOperationStore).sought(stored.id)
  if ((yield* executedAmong(session, entryPoint, sought, latest.number)) !== undefined)
    return told("executed")
  const isSettled = final !== null && (yield* Effect.orElseSucceed(isPassedAt(final), () => false))
  return told(isSettled ? "superseded" : "passed-by")
})

/** Nothing where it may still be sent from here, or its steps left otherwise. */
export const lookElsewhere = Effect.fnUntraced(function* (stored: StoredUserOperation) {
  if (stored.send !== undefined || !isOverdue(stored) || hasLeftOtherwise(stored)) return undefined
  const fate = yield* Effect.option(fateElsewhere(stored))
  const elsewhere: Elsewhere = Option.isNone(fate) || fate.value === "passed-by" ? "unknown" : fate.value
  return elsewhere
})

interface Repeated {
  readonly planId: string
  readonly stepIndexes: ReadonlyArray<number>
  readonly chainId: number
  readonly entryPoint: Address
  readonly wallet: Address
  /** Where it is itself one of those that were not sent. */
  readonly id?: string
}

interface LookedAt {
  readonly session: ChainSession
  readonly block: Pick<Block, "number" | "hash">
}

/** Whose nonce went by at a block, under the key that each has. */
const passedAt = Effect.fnUntraced(function* (
  { entryPoint, wallet }: Repeated,
  { session, block }: LookedAt,
  operations: ReadonlyArray<UnsentOperation>
) {
  const keys = [...new Set(operations.map(({ nonce }) => nonceKeyOf(nonce)))]
  const nexts = yield* Effect.forEach(
    keys,
    key => entryPointNumber(session, nonceQuestion(entryPoint, wallet, key), block.hash),
    { concurrency: "unbounded" }
  )
  const next = new Map(keys.map((key, index) => [key, nexts[index] ?? 0n]))
  return operations.filter(({ nonce }) => nonce < (next.get(nonceKeyOf(nonce)) ?? 0n))
})

/** As deep as what is executed there counts as confirmed. */
const confirmedBlock = Effect.fnUntraced(function* (chainId: number, { session, block }: LookedAt) {
  const { confirmations } = yield* (yield* ChainClient).chain(chainId)
  const number = block.number - BigInt(confirmations) + 1n
  if (number >= block.number || number < 0n) return block
  const [deep] = yield* session.all([blockByNumber(chainId, number)])
  return deep
})

/** Refuses another operation where one of its steps was executed, or where nobody can say; an operation whose nonce went by a moment ago may come back with it. */
export const refuseRepeated = Effect.fn("ExecutedElsewhere.refuse")(function* <E, R>(
  repeated: Repeated,
  look: Effect.Effect<LookedAt, E, R>
) {
  const { planId, stepIndexes, chainId, entryPoint, id } = repeated
  const unsent = yield* (yield* UserOperationStore).unsent(planId, stepIndexes, id)
  if (unsent.length === 0) return
  const looked = yield* look
  const passed = yield* passedAt(repeated, looked, unsent)
  const executed = yield* executedAmong(looked.session, entryPoint, passed, looked.block.number)
  if (executed !== undefined)
    return yield* new UserOperationConflict({
      detail: `The operation ${executed.id} of these steps was executed, though not sent from here: submit its own signature, which takes it up.`,
      context: { operationId: executed.id }
    })
  const deep = passed.length === 0 ? null : yield* confirmedBlock(chainId, looked)
  const settled = deep === null ? [] : yield* passedAt(repeated, { ...looked, block: deep }, passed)
  const doubtful = passed.find(each => !settled.includes(each))
  if (doubtful !== undefined) return yield* untold(doubtful)
})
