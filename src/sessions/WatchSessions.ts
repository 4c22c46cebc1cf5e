/** Looks after sessions that may be used, enabled or revoked, in every replica, and releases what they reserved; it sends nothing. */
import { Effect, Layer } from "effect"
import { sweepForever } from "../dispatch/SweepForever.ts"
import { failpoint } from "../values/Failpoint.ts"
import { observeSession } from "./ObserveSession.ts"
import { SESSIONS_PAGE, SessionWatchStore } from "./SessionWatchStore.ts"

const LOOKS_TOGETHER = 8

export const sweepSessions = Effect.gen(function* () {
  const store = yield* SessionWatchStore
  const due = yield* store.claimPage
  yield* Effect.forEach(due, id => Effect.ignore(Effect.flatMap(store.byId(id), observeSession)), {
    concurrency: LOOKS_TOGETHER,
    discard: true
  })
  if (due.length > 0 && (yield* store.release(due)) > 0) yield* failpoint("session.swept")
  return due.length
}).pipe(Effect.withSpan("Session.sweep"))

export const sessionWorker = Layer.scopedDiscard(
  Effect.forkScoped(
    sweepForever(sweepSessions, { worker: "sessions", page: SESSIONS_PAGE, idle: "5 seconds" })
  )
)
