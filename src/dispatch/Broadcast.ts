/** Sends admitted bytes once and records what is known of it; the room owns the sending, so that a client that leaves stops nothing. */
import { Context, Effect, type Fiber, FiberSet, Layer, type Option, Schedule } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { transactionByHash } from "../chain/Reads.ts"
import type { SignedTransaction } from "../chain/SignedTransaction.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { stage } from "../telemetry/Stage.ts"
import { type Deadlines, makeDeadlines } from "../values/Deadlines.ts"
import { failpoint } from "../values/Failpoint.ts"
import { DispatchLease, type LeaseToken, type Outcome } from "./DispatchLease.ts"
import { BroadcastPersistenceUncertain } from "./refusals.ts"

const DEADLINE_MS = 10_000
const GRACE = "12 seconds"
const SETTLING = Schedule.intersect(Schedule.exponential("100 millis"), Schedule.recurs(5))

/** A refusal or a silence is no outcome: whether the node knows the hash is. */
const lookUp = (session: ChainSession, transaction: SignedTransaction): Effect.Effect<Outcome> =>
  Effect.match(
    Effect.zipRight(failpoint("broadcast.refused"), session.all([transactionByHash(transaction.hash)])),
    {
      onFailure: () => "unknown",
      onSuccess: ([known]) => (known === null ? "unknown" : "submitted")
    }
  )

const sendOnce = (session: ChainSession, transaction: SignedTransaction): Effect.Effect<Outcome> =>
  Effect.matchEffect(session.sendRaw(transaction.raw), {
    onFailure: () => lookUp(session, transaction),
    onSuccess: answer =>
      answer._tag === "Accepted" && answer.hash === transaction.hash
        ? Effect.succeed<Outcome>("submitted")
        : lookUp(session, transaction)
  })

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
      session: ChainSession,
      transaction: SignedTransaction,
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
      yield* Effect.addFinalizer(() =>
        Effect.disconnect(Effect.timeoutOption(FiberSet.awaitEmpty(fibers), GRACE))
      )

      const sendAndSettle = (session: ChainSession, transaction: SignedTransaction, lease: LeaseToken) =>
        Effect.zipRight(failpoint("broadcast.begun"), sendOnce(session, transaction)).pipe(
          Effect.zipLeft(failpoint("broadcast.answered")),
          Effect.flatMap(outcome => Effect.retry(leases.settle(lease, outcome), SETTLING)),
          Effect.zipLeft(failpoint("broadcast.settled")),
          Effect.mapError(
            () => new BroadcastPersistenceUncertain({ context: { transactionHash: transaction.hash } })
          )
        )

      return {
        send: Effect.fnUntraced(function* (session, transaction, lease) {
          yield* Effect.annotateCurrentSpan("transactionHash", transaction.hash)
          const sending = Effect.interruptible(sendAndSettle(session, transaction, lease))
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
