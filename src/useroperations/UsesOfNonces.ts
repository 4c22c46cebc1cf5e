/** What used the nonces of operations that were never sent from here: they themselves, or another one, as their entry point tells. */
import { Array, Effect, Option } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { blockByNumber } from "../chain/Reads.ts"
import { type RpcFailure, RpcUnavailable } from "../chain/refusals.ts"
import { type SearchedEvents, type SoughtEvents, searchEvents } from "../dispatch/SearchEvents.ts"
import { type BlockPlace, FINAL_CONFIRMATIONS, searchedFrom } from "../dispatch/SearchHeads.ts"
import { type Address, addressWord } from "../values/Scalars.ts"
import { OPERATION_TOPIC, operationEvent } from "./OperationEvents.ts"
import { OperationWatchStore } from "./OperationWatchStore.ts"
import type { UnsentOperation } from "./UserOperationRow.ts"

/** Each goes on where the one before ended. */
const MOST_LOOKS = 8
/** Which word of the event it is. */
const SENDER = 2

interface SoughtOperation extends SoughtEvents {
  readonly operation: UnsentOperation
}

interface Use {
  readonly operation: UnsentOperation
  readonly isItself: boolean
  readonly block: BlockPlace
}

export interface OperatedWallet {
  readonly entryPoint: Address
  readonly wallet: Address
}

export interface UsesOfNonces {
  /** The first that was executed. */
  readonly executed: UnsentOperation | undefined
  readonly executedIn: BlockPlace | undefined
  /** By the operation whose nonce another one used: in which block. Nothing of one whose nonce its wallet passed over. */
  readonly taken: ReadonlyMap<UnsentOperation, bigint>
}

/** Who takes this for "no" would do the same by another operation. */
export const untold = ({ id }: Pick<UnsentOperation, "id">) =>
  new RpcUnavailable({ detail: `The chain's node does not say whether the operation ${id} was executed.` })

const usesOf = ({ operation }: SoughtOperation, { logs }: SearchedEvents): ReadonlyArray<Use> =>
  logs.flatMap(log => {
    const told = operationEvent(log.address, log)
    if (told === undefined || BigInt(told.nonce) !== operation.nonce) return []
    const isItself = told.operationHash === operation.operationHash
    return [{ operation, isItself, block: { number: BigInt(log.blockNumber), hash: log.blockHash } }]
  })

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
  const found = yield* searchEvents(session, OPERATION_TOPIC, sought, latest, SENDER)
  const searchedOf = (each: SoughtOperation) => found.get(each) ?? Option.none<SearchedEvents>()
  const uses = sought.flatMap(each =>
    Option.match(searchedOf(each), { onNone: () => [], onSome: searched => usesOf(each, searched) })
  )
  const used = new Set(uses.map(({ operation }) => operation))
  if (uses.some(({ isItself }) => isItself)) return { uses, left: [] }
  const left = yield* Effect.forEach(
    sought.filter(({ operation }) => !used.has(operation)),
    each => leftOf(session, each, searchedOf(each), latest),
    { concurrency: "unbounded" }
  )
  return { uses, left: left.flat() }
})

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
): Effect.Effect<ReadonlyArray<Use>, RpcFailure, OperationWatchStore> =>
  Effect.flatMap(lookFor(session, sought, latest), ({ uses, left }) => {
    const [next] = left
    if (next === undefined) return Effect.succeed(uses)
    return looksLeft > 1
      ? Effect.map(lookOn(session, left, latest, looksLeft - 1), more => [...uses, ...more])
      : Effect.zipRight(keepReached(session, left, latest), untold(next.operation))
  })

/** Up to this block; refused where the chain does not say of one. */
export const usesOfNonces = Effect.fn("UsesOfNonces.look")(function* (
  session: ChainSession,
  { entryPoint: contract, wallet }: OperatedWallet,
  operations: ReadonlyArray<UnsentOperation>,
  latest: bigint
) {
  const numbers = [...new Set(operations.flatMap(({ searchedBlock }) => searchedBlock ?? []))]
  const blocks = yield* session.all(numbers.map(number => blockByNumber(session.chainId, BigInt(number))))
  const places = new Map(numbers.map((number, index) => [number, blocks[index] ?? null]))
  const sought = operations.map(operation => ({
    contract,
    word: addressWord(wallet),
    from: searchedFrom(operation, { places }),
    operation
  }))
  const uses = yield* lookOn(session, sought, latest, MOST_LOOKS)
  const own = uses.find(({ isItself }) => isItself)
  const found: UsesOfNonces = {
    executed: own?.operation,
    executedIn: own?.block,
    taken: new Map(uses.map(({ operation, block }) => [operation, block.number]))
  }
  return found
})
