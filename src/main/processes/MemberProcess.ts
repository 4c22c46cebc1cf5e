/** One of the processes that serve the port together, as their supervisor sees it. */
import cluster from "node:cluster"
import { Deferred, Effect } from "effect"
import { withinGrace } from "../../values/Grace.ts"
import { takeBackAtEnd } from "./HandOver.ts"
import { kindOf, type ToMember } from "./Words.ts"

export interface MemberProcess {
  readonly startedMillis: number
  /** Where its operators' listener is. */
  readonly opsPort: Effect.Effect<number>
  readonly ready: Effect.Effect<void>
  /** How it ended. */
  readonly ended: Effect.Effect<string>
  /** Lets it answer whoever is connected to it, and nobody else. */
  readonly replace: Effect.Effect<void>
  /** Orderly within the grace, else at once. */
  readonly stop: Effect.Effect<void>
}

/** A process stops within less by itself. */
const STOPPING = "45 seconds"
/** Longer than a connection is kept that nothing is asked on. */
const LEAVING = "100 seconds"

export const startMember = (settings: unknown): Effect.Effect<MemberProcess> =>
  Effect.gen(function* () {
    const opsPort = yield* Deferred.make<number>()
    const ready = yield* Deferred.make<void>()
    const left = yield* Deferred.make<void>()
    const ended = yield* Deferred.make<string>()
    const worker = cluster.fork()
    takeBackAtEnd(worker)
    const tell = (told: ToMember): void => {
      if (worker.isConnected()) worker.send(told, () => {})
    }
    worker.on("error", () => {})
    worker.on("message", (message: unknown) => {
      const kind = kindOf(message)
      if (kind === "hearing") tell({ kind: "serve", settings })
      if (kind === "ops") Deferred.unsafeDone(opsPort, Effect.succeed(Number(Object(message).port)))
      if (kind === "ready") Deferred.unsafeDone(ready, Effect.void)
      if (kind === "left") Deferred.unsafeDone(left, Effect.void)
    })
    worker.on("exit", (code, signal) =>
      Deferred.unsafeDone(ended, Effect.succeed(signal ?? `exit code ${code}`))
    )
    worker.process.on("error", cause => Deferred.unsafeDone(ended, Effect.succeed(cause.message)))

    const end = Deferred.await(ended)
    const signalled = (signal: "SIGTERM" | "SIGKILL") => Effect.sync(() => worker.process.kill(signal))
    return {
      startedMillis: performance.now(),
      opsPort: Deferred.await(opsPort),
      ready: Deferred.await(ready),
      ended: end,
      replace: Effect.sync(() => tell({ kind: "replaced" })).pipe(
        Effect.zipRight(withinGrace(Effect.raceFirst(Deferred.await(left), end), LEAVING))
      ),
      stop: signalled("SIGTERM").pipe(
        Effect.zipRight(withinGrace(end, STOPPING)),
        Effect.zipRight(signalled("SIGKILL")),
        Effect.zipRight(end)
      )
    }
  })
