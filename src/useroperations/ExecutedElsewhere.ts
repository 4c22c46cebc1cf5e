/** Whether operations that were never sent from here were executed all the same: whoever has one as it is signed can have another bundler carry it. */
import { Array, Effect, Option } from "effect"
import { type Block, ChainClient, type ChainSession } from "../chain/ChainClient.ts"
import { lookAtHeads } from "../dispatch/SearchHeads.ts"
import { entryPointNumber, nonceQuestion } from "./EntryPointNumber.ts"
import { nextOperationNonce, nonceKeyOf } from "./OperationPreflight.ts"
import type { Elsewhere } from "./PublicUserOperation.ts"
import { UserOperationConflict } from "./refusals.ts"
import { longSilent } from "./SilentNonces.ts"
import {
  hasLeftOtherwise,
  isOverdue,
  type StoredUserOperation,
  type UnsentOperation
} from "./UserOperationRow.ts"
import { UserOperationStore } from "./UserOperationStore.ts"
import { type OperatedWallet, type UsesOfNonces, untold, usesOfNonces } from "./UsesOfNonces.ts"

/** Passed by: another one used its nonce, in a block that is not final yet. */
type FateElsewhere = Exclude<Elsewhere, "unknown"> | "passed-by"

interface LookedAt {
  readonly session: ChainSession
  readonly block: Pick<Block, "number" | "hash">
}

/** Whose nonce went by at a block, under the key that each has. */
const passedAt = Effect.fnUntraced(function* (
  { entryPoint, wallet }: OperatedWallet,
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

const isTakenBy = (block: bigint | undefined, latest: bigint): boolean =>
  block !== undefined && block <= latest

/** Whose nonce something else has for good: another one at this final block, as its event says, or nothing that any event told of for long enough. */
const settledAt = Effect.fnUntraced(function* (
  wallet: OperatedWallet,
  looked: LookedAt,
  operations: ReadonlyArray<UnsentOperation>,
  taken: UsesOfNonces["taken"]
) {
  const passed = yield* Effect.orElseSucceed(passedAt(wallet, looked, operations), () => [])
  const [silent, told] = Array.partition(passed, each => isTakenBy(taken.get(each), looked.block.number))
  return [...told, ...(yield* longSilent(looked, silent))]
})

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
  const wallet = { entryPoint, wallet: operation.sender }
  const { executed, taken } = yield* usesOfNonces(session, wallet, sought, latest.number)
  if (executed !== undefined) return told("executed")
  const settled = final === null ? [] : yield* settledAt(wallet, { session, block: final }, sought, taken)
  if (settled.length > 0) return told("superseded")
  return taken.size > 0 ? told("passed-by") : yield* untold(stored)
})

/** Nothing where it may still be sent from here, or its steps left otherwise. */
export const lookElsewhere = Effect.fnUntraced(function* (stored: StoredUserOperation) {
  if (stored.send !== undefined || !isOverdue(stored) || hasLeftOtherwise(stored)) return undefined
  const fate = yield* Effect.option(fateElsewhere(stored))
  const elsewhere: Elsewhere = Option.isNone(fate) || fate.value === "passed-by" ? "unknown" : fate.value
  return elsewhere
})

interface Repeated extends OperatedWallet {
  readonly planId: string
  readonly stepIndexes: ReadonlyArray<number>
  readonly chainId: number
  /** Where it is itself one of those that were not sent. */
  readonly id?: string
}

/** As deep as what is executed there counts as confirmed. */
const confirmedNumber = Effect.fnUntraced(function* (chainId: number, { block }: LookedAt) {
  const { confirmations } = yield* (yield* ChainClient).chain(chainId)
  return block.number - BigInt(confirmations) + 1n
})

/** A node may know of a nonce before it knows of the event: what no event tells is believed of final blocks alone, and after a while. */
const refuseDoubtful = Effect.fnUntraced(function* (
  repeated: Repeated,
  untoldOf: ReadonlyArray<UnsentOperation>,
  taken: UsesOfNonces["taken"]
) {
  const [first] = untoldOf
  if (first === undefined) return
  const { session, final } = yield* lookAtHeads(repeated.chainId, [])
  const settled = final === null ? [] : yield* settledAt(repeated, { session, block: final }, untoldOf, taken)
  const known = new Set(settled)
  const doubtful = untoldOf.find(each => !known.has(each))
  if (doubtful !== undefined) return yield* untold(doubtful)
})

/** Refuses another operation where one of its steps was executed, or where nobody can say; an operation whose nonce went by a moment ago may come back with it. */
export const refuseRepeated = Effect.fn("ExecutedElsewhere.refuse")(function* <E, R>(
  repeated: Repeated,
  look: Effect.Effect<LookedAt, E, R>
) {
  const { planId, stepIndexes, chainId, id } = repeated
  const unsent = yield* (yield* UserOperationStore).unsent(planId, stepIndexes, id)
  if (unsent.length === 0) return
  const looked = yield* look
  const passed = yield* passedAt(repeated, looked, unsent)
  const { executed, taken } = yield* usesOfNonces(looked.session, repeated, passed, looked.block.number)
  if (executed !== undefined)
    return yield* new UserOperationConflict({
      detail: `The operation ${executed.id} of these steps was executed, though not sent from here: submit its own signature, which takes it up.`,
      context: { operationId: executed.id }
    })
  const confirmed = yield* confirmedNumber(chainId, looked)
  yield* refuseDoubtful(
    repeated,
    passed.filter(each => !isTakenBy(taken.get(each), confirmed)),
    taken
  )
})
