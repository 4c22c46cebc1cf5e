/** Looks after what sent operations came to, in every replica; it sends nothing. */
import { Effect, Layer } from "effect"
import { lookAfterProofs, PROOFS_PAGE, showUnknown } from "../dispatch/FinalProofs.ts"
import { sweepForever } from "../dispatch/SweepForever.ts"
import { OperationWatchStore } from "./OperationWatchStore.ts"

export const sweepOperations = Effect.gen(function* () {
  const store = yield* OperationWatchStore
  const due = yield* lookAfterProofs(store)
  showUnknown("user-operation", yield* store.unknown)
  return due
}).pipe(Effect.withSpan("Operation.sweep"))

export const operationWorker = Layer.scopedDiscard(
  Effect.forkScoped(
    sweepForever(sweepOperations, { worker: "operations", page: PROOFS_PAGE, idle: "5 seconds" })
  )
)
