/** Whether operations that were never sent from here were executed all the same: whoever has one as it is signed can have another bundler carry it. */
import { Effect, Option } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { blockByNumber } from "../chain/Reads.ts"
import { type RpcFailure, RpcUnavailable } from "../chain/refusals.ts"
import { type SearchedEvents, type SoughtEvents, searchEvents } from "../dispatch/SearchEvents.ts"
import { lookAtHeads, searchedFrom } from "../dispatch/SearchHeads.ts"
import type { Address } from "../values/Scalars.ts"
import { OPERATION_TOPIC } from "./OperationEvents.ts"
import type { OperationGround } from "./OperationGround.ts"
import { nextOperationNonce } from "./OperationPreflight.ts"
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
const UNSEARCHED = { searchedBlock: null, searchedHash: null }

/** Who takes this for "no" would do the same by another operation. */
const untold = ({ id }: UnsentOperation) =>
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

type Executed = Effect.Effect<UnsentOperation | undefined, RpcFailure>

const lookOn = (
  session: ChainSession,
  sought: ReadonlyArray<SoughtOperation>,
  latest: bigint,
  looksLeft: number
): Executed =>
  Effect.flatMap(lookFor(session, sought, latest), ({ executed, left }): Executed => {
    const [next] = left
    if (executed !== undefined || next === undefined) return Effect.succeed(executed)
    return looksLeft > 1 ? lookOn(session, left, latest, looksLeft - 1) : untold(next.operation)
  })

/** The first that was executed up to this block; refused where the chain does not say of one. */
const executedAmong = (
  session: ChainSession,
  contract: Address,
  operations: ReadonlyArray<UnsentOperation>,
  latest: bigint
): Executed => {
  const sought = operations.map(operation => {
    const { operationHash: word, sinceBlock } = operation
    const from = searchedFrom({ sinceBlock, ...UNSEARCHED }, { places: new Map() })
    return { contract, word, from, operation }
  })
  return lookOn(session, sought, latest, MOST_LOOKS)
}

type FateElsewhere = Exclude<Elsewhere, "unknown">

/** Of an operation that was not sent from here. Refused where its chain does not say. */
export const fateElsewhere = Effect.fn("ExecutedElsewhere.look")(function* (stored: StoredUserOperation) {
  const { chainId, entryPoint, operation, signing } = stored
  const { session, latest } = yield* lookAtHeads(chainId, [])
  const next = yield* nextOperationNonce({ session, block: latest }, stored)
  if (next <= BigInt(operation.nonce)) {
    const fate: FateElsewhere = latest.timestamp > BigInt(signing.validUntil) ? "lapsed" : "open"
    return fate
  }
  const unsent = { ...stored, validUntil: signing.validUntil }
  const executed = yield* executedAmong(session, entryPoint, [unsent], latest.number)
  return executed === undefined ? "superseded" : "executed"
})

/** Nothing where it may still be sent from here, or its steps left otherwise. */
export const lookElsewhere = Effect.fnUntraced(function* (stored: StoredUserOperation) {
  if (stored.send !== undefined || !isOverdue(stored) || hasLeftOtherwise(stored)) return undefined
  const unknown: Elsewhere = "unknown"
  return yield* Effect.orElseSucceed(fateElsewhere(stored), () => unknown)
})

interface Repeated {
  readonly planId: string
  readonly stepIndexes: ReadonlyArray<number>
  readonly entryPoint: Address
}

/** Refuses another operation where one of its steps was executed, or where nobody can say. */
export const refuseRepeated = Effect.fn("ExecutedElsewhere.refuse")(function* (
  { planId, stepIndexes, entryPoint }: Repeated,
  { session, nonce, block }: OperationGround
) {
  const outrun = yield* (yield* UserOperationStore).outrun(planId, stepIndexes, nonce)
  const executed = yield* executedAmong(session, entryPoint, outrun, block.number)
  if (executed === undefined) return
  return yield* new UserOperationConflict({
    detail: `The operation ${executed.id} of these steps was executed, though not sent from here: submit its own signature, which takes it up.`,
    context: { operationId: executed.id }
  })
})
