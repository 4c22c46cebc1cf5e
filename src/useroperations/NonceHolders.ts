/** Operations that were sent from here, and have the nonce by which others had another one executed: none of them ever will be, once that is final. */
import { Effect, Metric } from "effect"
import { blockByNumber } from "../chain/Reads.ts"
import { deadProofs } from "../dispatch/FinalProofs.ts"
import { lookAtHeads } from "../dispatch/SearchHeads.ts"
import { nextOperationNonce } from "./OperationPreflight.ts"
import { OperationWatchStore } from "./OperationWatchStore.ts"
import { UserOperationNonceReserved } from "./refusals.ts"
import type { StoredUserOperation } from "./UserOperationRow.ts"
import { UserOperationStore } from "./UserOperationStore.ts"
import { usesOfNonces } from "./UsesOfNonces.ts"

const NOT_FINAL =
  "Another operation that was sent from here has the nonce, by which this one was executed in a block that is not final yet: submit the same signature again once it is."

/** Null until it has the operation, in a block that is its own at that height, and the wallet's nonce with it. */
const finalBlockWith = Effect.fnUntraced(function* (stored: StoredUserOperation) {
  const { chainId, entryPoint, operation } = stored
  const { session, latest, final } = yield* lookAtHeads(chainId, [])
  const sought = yield* (yield* UserOperationStore).sought(stored.id)
  const wallet = { entryPoint, wallet: operation.sender }
  const { executedIn } = yield* usesOfNonces(session, wallet, sought, latest.number)
  if (final === null || executedIn === undefined || executedIn.number > final.number) return null
  const [block] = yield* session.all([blockByNumber(chainId, executedIn.number)])
  const isPassed = (yield* nextOperationNonce({ session, block: final }, stored)) > BigInt(operation.nonce)
  return isPassed && block?.hash === executedIn.hash ? final : null
})

/** Refused while one of them may still be executed, should the chain take the execution back. */
export const endHolders = Effect.fn("NonceHolders.end")(function* (stored: StoredUserOperation) {
  const store = yield* OperationWatchStore
  if (!(yield* store.isHeld(stored.id))) return
  const final = yield* finalBlockWith(stored)
  if (final === null) return yield* new UserOperationNonceReserved({ detail: NOT_FINAL, retryable: true })
  yield* Metric.incrementBy(deadProofs, yield* store.outdone(stored.id, final))
})
