/** Whether operations that were never sent from here were executed all the same: whoever has one as it is signed can have another bundler carry it. */
import { Effect, Option } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { blockByNumber } from "../chain/Reads.ts"
import { type RpcFailure, RpcUnavailable } from "../chain/refusals.ts"
import { type SearchedEvents, type SoughtEvents, searchEvents } from "../dispatch/SearchEvents.ts"
import { lookAtHeads, searchedFrom } from "../dispatch/SearchHeads.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { OPERATION_TOPIC } from "./OperationEvents.ts"
import { nextOperationNonce } from "./OperationPreflight.ts"
import type { StoredUserOperation } from "./UserOperationRow.ts"

export interface UnsentOperation {
  readonly id: string
  readonly operationHash: Bytes32
  /** The block that it was prepared at. */
  readonly sinceBlock: number
  /** In seconds: no later block can execute it. */
  readonly validUntil: number
}

interface SoughtOperation<Of> extends SoughtEvents {
  readonly operation: Of
}

/** Each goes on where the one before ended. */
const MOST_LOOKS = 8
const UNSEARCHED = { searchedBlock: null, searchedHash: null }

/** Who takes this for "no" would do the same by another operation. */
const untold = ({ id }: UnsentOperation) =>
  new RpcUnavailable({ detail: `The chain's node does not say whether the operation ${id} was executed.` })

/** Empty where no later block can have executed it. */
const leftOf = Effect.fnUntraced(function* <Of extends UnsentOperation>(
  session: ChainSession,
  sought: SoughtOperation<Of>,
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

const lookFor = Effect.fnUntraced(function* <Of extends UnsentOperation>(
  session: ChainSession,
  sought: ReadonlyArray<SoughtOperation<Of>>,
  latest: bigint
) {
  const found = yield* searchEvents(session, OPERATION_TOPIC, sought, latest)
  const searchedOf = (each: SoughtOperation<Of>) => found.get(each) ?? Option.none<SearchedEvents>()
  const executed = sought.find(each => Option.exists(searchedOf(each), ({ logs }) => logs.length > 0))
  if (executed !== undefined) return { executed: executed.operation, left: [] }
  const left = yield* Effect.forEach(sought, each => leftOf(session, each, searchedOf(each), latest), {
    concurrency: "unbounded"
  })
  return { executed: undefined, left: left.flat() }
})

const lookOn = <Of extends UnsentOperation>(
  session: ChainSession,
  sought: ReadonlyArray<SoughtOperation<Of>>,
  latest: bigint,
  looksLeft: number
): Effect.Effect<Of | undefined, RpcFailure> =>
  Effect.flatMap(
    lookFor(session, sought, latest),
    ({ executed, left }): Effect.Effect<Of | undefined, RpcFailure> => {
      const [next] = left
      if (executed !== undefined || next === undefined) return Effect.succeed(executed)
      return looksLeft > 1 ? lookOn(session, left, latest, looksLeft - 1) : untold(next.operation)
    }
  )

/** The first that was executed up to this block; refused where the chain does not say of one. */
export const executedAmong = <Of extends UnsentOperation>(
  session: ChainSession,
  contract: Address,
  operations: ReadonlyArray<Of>,
  latest: bigint
): Effect.Effect<Of | undefined, RpcFailure> => {
  const sought = operations.map(operation => {
    const { operationHash: word, sinceBlock } = operation
    return { contract, word, from: searchedFrom({ sinceBlock, ...UNSEARCHED }, { places: new Map() }), operation }
  })
  return lookOn(session, sought, latest, MOST_LOOKS)
}

/** Superseded: something else used its nonce. Refused where its chain does not say. */
export const fateElsewhere = Effect.fn("ExecutedElsewhere.look")(function* (stored: StoredUserOperation) {
  const { chainId, entryPoint, operation, signing } = stored
  const { session, latest } = yield* lookAtHeads(chainId, [])
  if ((yield* nextOperationNonce({ session, block: latest }, stored)) <= BigInt(operation.nonce)) return "open"
  const unsent = { ...stored, validUntil: signing.validUntil }
  const executed = yield* executedAmong(session, entryPoint, [unsent], latest.number)
  return executed === undefined ? "superseded" : "executed"
})
