/** Reconciles what is admitted and not final, in every replica; it never sends and never claims a dispatch. */
import { Array, type Duration, Effect, Layer } from "effect"
import { failpoint } from "../values/Failpoint.ts"
import { refresh, refreshTogether } from "./Reconcile.ts"
import { rowsByChains } from "./RowsByChains.ts"
import { sweepForever } from "./SweepForever.ts"
import { PAGE, SweepStore } from "./SweepStore.ts"

const WORKER = "recovery"
const AT_ONCE = 4
/** So few that one answer stays far below what a node may send. */
const TOGETHER = 16

const recoverOne = (id: string) =>
  refresh(id, "recovery").pipe(
    Effect.catchAll(({ _tag }) =>
      Effect.annotateLogs(Effect.logDebug("a plan was not reconciled"), { code: _tag })
    ),
    Effect.catchAllDefect(defect => Effect.logError("a plan cannot be reconciled", defect)),
    Effect.annotateLogs({ plan: id }),
    Effect.withSpan("Recovery.plan", { attributes: { plan: id } })
  )

const recoverTogether = (due: ReadonlyArray<string>) =>
  refreshTogether(due, "recovery").pipe(
    Effect.orElseSucceed(() => due),
    Effect.catchAllDefect(defect =>
      Effect.as(Effect.logWarning("plans cannot be reconciled together", defect), due)
    )
  )

/** What cannot be read together is looked at plan by plan, so that none waits for another's answer. */
const recoverAll = Effect.fnUntraced(function* (due: ReadonlyArray<string>) {
  const alone = due.length === 1 ? due : yield* recoverTogether(due)
  yield* Effect.forEach(alone, recoverOne, { concurrency: AT_ONCE, discard: true })
})

const lookAtAll = (due: ReadonlyArray<string>) =>
  Effect.forEach(Array.chunksOf(due, TOGETHER), recoverAll, { concurrency: AT_ONCE, discard: true })

export const newSweep = (patience?: Duration.Duration) =>
  Effect.map(rowsByChains({ worker: WORKER, patience }), looking =>
    Effect.gen(function* () {
      const store = yield* SweepStore
      const due = yield* store.claimPage
      if (due.length > 0) yield* failpoint("recovery.claimed")
      yield* looking(due, lookAtAll)
      if (due.length > 0) yield* failpoint("recovery.reconciled")
      return due.length
    })
  )

export const recoveryWorker = Layer.scopedDiscard(
  Effect.flatMap(newSweep(), sweep =>
    Effect.forkScoped(sweepForever(sweep, { worker: WORKER, page: PAGE, idle: "1 second" }))
  )
)
