/** Looks after sessions that may be used, enabled or revoked, in every replica, and releases what they reserved; it sends nothing. */
import { type Duration, Effect, Layer } from "effect"
import { rowsByChains } from "../dispatch/RowsByChains.ts"
import { sweepForever } from "../dispatch/SweepForever.ts"
import { failpoint } from "../values/Failpoint.ts"
import { observeSession } from "./ObserveSession.ts"
import { SESSIONS_PAGE, SessionWatchStore } from "./SessionWatchStore.ts"

const WORKER = "sessions"
const LOOKS_TOGETHER = 8

const lookAt = (id: string) =>
  Effect.flatMap(SessionWatchStore, store => Effect.flatMap(store.byId(id), observeSession)).pipe(
    Effect.ignore,
    Effect.catchAllDefect(defect => Effect.logError("a session cannot be looked at", defect)),
    Effect.annotateLogs({ session: id })
  )

const lookAtAll = Effect.fn("Session.sweep")(function* (due: ReadonlyArray<string>) {
  yield* Effect.forEach(due, lookAt, { concurrency: LOOKS_TOGETHER, discard: true })
  const released = yield* Effect.catchAll((yield* SessionWatchStore).release(due), ({ _tag }) =>
    Effect.as(Effect.logWarning("what sessions hold was not released", _tag), 0)
  )
  if (released > 0) yield* failpoint("session.swept")
})

export const newSessionSweep = (patience?: Duration.Duration) =>
  Effect.map(rowsByChains({ worker: WORKER, patience }), looking =>
    Effect.gen(function* () {
      const store = yield* SessionWatchStore
      const due = yield* store.claimPage
      yield* looking(due, lookAtAll)
      return due.length
    })
  )

export const sessionWorker = Layer.scopedDiscard(
  Effect.flatMap(newSessionSweep(), sweep =>
    Effect.forkScoped(sweepForever(sweep, { worker: WORKER, page: SESSIONS_PAGE, idle: "5 seconds" }))
  )
)
