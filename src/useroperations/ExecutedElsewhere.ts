/** Whether an operation that was never sent from here was executed all the same: whoever has it as it is signed can have another bundler carry it. */
import { Effect, Option } from "effect"
import { RpcUnavailable } from "../chain/refusals.ts"
import { type SearchedEvents, searchEvents } from "../dispatch/SearchEvents.ts"
import { lookAtHeads, searchedFrom } from "../dispatch/SearchHeads.ts"
import { OPERATION_TOPIC } from "./OperationEvents.ts"
import { nextOperationNonce } from "./OperationPreflight.ts"
import type { StoredUserOperation } from "./UserOperationRow.ts"

/** Who takes this for "no" would do the same by another operation. */
const untold = () =>
  new RpcUnavailable({ detail: "The chain's node does not say whether the operation was executed." })

/** Refused where its chain does not say. */
export const isExecutedElsewhere = Effect.fn("ExecutedElsewhere.look")(function* (
  stored: StoredUserOperation
) {
  const { chainId, entryPoint, operation, operationHash, sinceBlock } = stored
  const heads = yield* lookAtHeads(chainId, [])
  const { session, latest } = heads
  if ((yield* nextOperationNonce({ session, block: latest }, stored)) <= BigInt(operation.nonce)) return false
  const from = searchedFrom({ sinceBlock, searchedBlock: null, searchedHash: null }, heads)
  const sought = { contract: entryPoint, word: operationHash, from }
  const found = yield* searchEvents(session, OPERATION_TOPIC, [sought], latest.number)
  const seen: Option.Option<SearchedEvents> = found.get(sought) ?? Option.none()
  const { logs, to } = yield* Effect.mapError(seen, untold)
  if (logs.length > 0) return true
  return to < latest.number ? yield* untold() : false
})
