/** Sends admitted bytes once and records what is known of it; the room owns the sending, so that a client that leaves stops nothing. */
import { Context, Effect, type Fiber, FiberSet, Layer, type Option, Schedule } from "effect"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { inPlanTrace } from "../telemetry/PlanTrace.ts"
import { stage } from "../telemetry/Requests.ts"
import { type Deadlines, makeDeadlines } from "../values/Deadlines.ts"
import { failpoint } from "../values/Failpoint.ts"
import { withinGrace } from "../values/Grace.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { DispatchLease, type DispatchOutcome, type LeaseToken } from "./DispatchLease.ts"
import { BroadcastPersistenceUncertain } from "./refusals.ts"
import { countSubmission } from "./TransportMetrics.ts"

const DEADLINE_MS = 10_000
const GRACE = "12 seconds"
const SETTLING = Schedule.intersect(Schedule.exponential("100 millis"), Schedule.recurs(5))

/** To be sent once. */
export interface Leaving {
  readonly hash: Bytes32
  readonly send: Effect.Effect<DispatchOutcome>
}

/** Waits for the end of the sending, or for the deadline where that is earlier. */
const awaited = ({ now, watch }: Deadlines, sending: Fiber.RuntimeFiber<unknown, unknown>) =>
  Effect.async<void>(resume => {
    const leave = () => {
      unwatch()
      sending.removeObserver(arrive)
    }
    const arrive = () => {
      leave()
      resume(Effect.void)
    }
    const unwatch = watch(now() + DEADLINE_MS, arrive)
    sending.addObserver(arrive)
    return Effect.sync(leave)
  })

export class Broadcast extends Context.Tag("dispatch/Broadcast")<
  Broadcast,
  {
    /** The plan once the outcome is stored; none after ten seconds, while the sending goes on. */
    readonly send: (
      leaving: Leaving,
      lease: LeaseToken
    ) => Effect.Effect<Option.Option<StoredPlan>, BroadcastPersistenceUncertain>
  }
>() {
  static readonly layer = Layer.scoped(
    Broadcast,
    Effect.gen(function* () {
      const leases = yield* DispatchLease
      const deadlines = yield* makeDeadlines
      const fibers = yield* FiberSet.make<StoredPlan, BroadcastPersistenceUncertain>()
      yield* Effect.addFinalizer(() => withinGrace(FiberSet.awaitEmpty(fibers), GRACE))

      const sendAndSettle = ({ hash, send }: Leaving, lease: LeaseToken) =>
        Effect.zipRight(failpoint("broadcast.begun"), send).pipe(
          Effect.zipLeft(failpoint("broadcast.answered")),
          Effect.tap(outcome => countSubmission("direct", outcome)),
          Effect.flatMap(outcome => Effect.retry(leases.settle(lease, outcome), SETTLING)),
          Effect.zipLeft(failpoint("broadcast.settled")),
          Effect.mapError(() => new BroadcastPersistenceUncertain({ context: { transactionHash: hash } }))
        )

      return {
        send: Effect.fnUntraced(function* (leaving, lease) {
          yield* Effect.annotateCurrentSpan("transactionHash", leaving.hash)
          const { planId, step } = lease
          const traced = inPlanTrace(planId, "submission", { step, transactionHash: leaving.hash })
          const sending = Effect.interruptible(traced(sendAndSettle(leaving, lease)))
          const fiber = yield* FiberSet.run(fibers, sending)
          yield* Effect.interruptible(awaited(deadlines, fiber))
          yield* failpoint("broadcast.awaited")
          const exit = yield* fiber.poll
          return yield* Effect.transposeOption(exit)
        }, stage("Broadcast.send"))
      }
    })
  )
}
