/** Shows an operation as its chain has it now; it sends nothing, and who does not answer changes nothing. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { refresh } from "../dispatch/Reconcile.ts"
import { shownUserOperation } from "./ShownUserOperation.ts"
import { UserOperationStore } from "./UserOperationStore.ts"

export const refreshOperation = Effect.fn("RefreshOperation.show")(function* (id: string) {
  const actor = yield* Principal
  const store = yield* UserOperationStore
  const stored = yield* store.find(id, actor)
  if (stored.send === undefined) return shownUserOperation(stored)
  yield* Effect.catchTag(refresh(stored.planId), "PLAN_NOT_FOUND", Effect.die)
  return shownUserOperation(yield* store.find(id, actor))
})
