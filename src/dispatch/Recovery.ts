/** Reconciles what is admitted and not final, in every replica; it never sends and never claims a dispatch. */
import { Effect, Layer, Metric } from "effect"
import { failpoint } from "../values/Failpoint.ts"
import { refresh } from "./Reconcile.ts"
import { SweepStore } from "./SweepStore.ts"

const IDLE = "1 second"
const AT_ONCE = 4

const oldestPending = Metric.gauge("service_oldest_pending_seconds", {
  description: "Age of the oldest admitted plan that is not final"
})

const recoverOne = (planId: string) =>
  refresh(planId).pipe(
    Effect.catchAll(({ _tag }) =>
      Effect.annotateLogs(Effect.logDebug("a plan was not reconciled"), { code: _tag })
    ),
    Effect.catchAllDefect(defect => Effect.logError("a plan cannot be reconciled", defect)),
    Effect.annotateLogs({ plan: planId }),
    Effect.withSpan("Recovery.plan", { attributes: { plan: planId } })
  )

export const sweep = Effect.gen(function* () {
  const store = yield* SweepStore
  const due = yield* store.claimPage
  if (due.length > 0) yield* failpoint("recovery.claimed")
  yield* Effect.forEach(due, recoverOne, { concurrency: AT_ONCE, discard: true })
  if (due.length > 0) yield* failpoint("recovery.reconciled")
  yield* Metric.set(oldestPending, yield* store.oldestPendingSeconds)
  return due.length
})

const sweepAndRest = sweep.pipe(
  Effect.catchAll(() => Effect.succeed(0)),
  Effect.catchAllDefect(defect => Effect.as(Effect.logError("a sweep failed unforeseen", defect), 0)),
  Effect.flatMap(count => (count === 0 ? Effect.sleep(IDLE) : Effect.void))
)

export const recoveryWorker = Layer.scopedDiscard(Effect.forkScoped(Effect.forever(sweepAndRest)))
