/** Shows an operation as its chain has it now; it sends nothing, and who does not answer changes nothing. */
import { Effect, Option } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { refresh } from "../dispatch/Reconcile.ts"
import { factsSeenHere } from "../dispatch/SeenHere.ts"
import { Bundler } from "./Bundler.ts"
import { lookElsewhere } from "./ExecutedElsewhere.ts"
import { OperationWatchStore } from "./OperationWatchStore.ts"
import { shownUserOperation } from "./ShownUserOperation.ts"
import type { StoredUserOperation } from "./UserOperationRow.ts"
import { UserOperationStore } from "./UserOperationStore.ts"

const refreshPlanOf = ({ planId }: StoredUserOperation) =>
  Effect.catchTag(refresh(planId), "PLAN_NOT_FOUND", Effect.die)

const isSeen = ({ id, facts, isDead }: StoredUserOperation): boolean =>
  isDead || facts.some(({ binding, receipt }) => binding?.bindingId === id && receipt?.canonical === true)

const shownHere = (stored: StoredUserOperation) =>
  Effect.map(
    factsSeenHere(stored.facts, () => stored.chainId),
    facts => shownUserOperation({ ...stored, facts })
  )

/** Whether a bundler names another transaction than before. */
const heard = Effect.fnUntraced(function* ({ id, chainId, operationHash }: StoredUserOperation) {
  const told = yield* (yield* Bundler).hint(chainId, operationHash)
  if (Option.isNone(told)) return false
  return yield* (yield* OperationWatchStore).hinted(id, told.value)
})

/** Only of what its chain does not show a bundler is asked where it went. */
export const refreshOperation = Effect.fn("RefreshOperation.show")(function* (id: string) {
  const actor = yield* Principal
  const store = yield* UserOperationStore
  const stored = yield* store.find(id, actor)
  if (stored.send === undefined) return shownUserOperation(stored, yield* lookElsewhere(stored))
  yield* refreshPlanOf(stored)
  const refreshed = yield* store.find(id, actor)
  if (isSeen(refreshed) || !(yield* heard(refreshed))) return yield* shownHere(refreshed)
  yield* refreshPlanOf(stored)
  return yield* shownHere(yield* store.find(id, actor))
})
